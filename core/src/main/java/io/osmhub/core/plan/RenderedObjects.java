package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.LimitViolationCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.userdata.UserDataSize;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The rendered objects of a MachineDeployment.
 *
 * @param secrets by role; empty when it is too large to be published
 * @param digests of the values of {@code secrets}, by key
 * @param findings an error prevents publishing
 */
record RenderedObjects(
        Decision.RenderSummary rendered,
        RenderedConfig rendering,
        Map<SecretRole, DesiredSecret> secrets,
        Map<SecretRole, SortedMap<String, String>> digests,
        List<ProblemFinding> findings) {
    /**
     * Templates see a time that advances in steps of this length, so that most renderings of a template that prints it are equal.
     */
    RenderedObjects {
        secrets = Collections.unmodifiableMap(new EnumMap<>(secrets));
        digests = Collections.unmodifiableMap(new EnumMap<>(digests));
        findings = List.copyOf(findings);
    }

    /** As stored, with placeholders for credentials. */
    OperatingSystemConfig config() {
        return rendering.stored();
    }

    /** Whether a stored OperatingSystemConfig is equal: with placeholders, or with credentials as OSM stores it. */
    boolean matches(StoredConfig stored) {
        return stored.contentHash().equals(rendered.contentHash())
                || stored.contentHash().equals(SpecHash.of(OperatingSystemConfigWriter.spec(rendering.revealed())));
    }

    /**
     * The token with which machines fetch.
     *
     * @param isOwn whether it is scoped to the MachineDeployment, and then kept beside the user-data
     */
    record FetchCredential(Sensitive token, boolean isOwn) {}

    /** Renders the objects. Thread-safe. */
    record ObjectsRenderer(
            RenderLimits limits, LongSupplier nanoTime, LimitViolationCache exceeded, NodeContentCheck contents) {
        /**
         * @param token with which nodes join
         * @param fetch with which machines fetch
         * @throws TenantMistake if the MachineDeployment, the profile or an input is invalid
         */
        RenderedObjects render(Facts facts, Facts.NameClaimant subject, Sensitive token, FetchCredential fetch) {
            MachineDeployment machineDeployment = subject.machineDeployment();
            RenderInput input = input(facts, subject, token, fetch);
            Sandbox.Factory sandboxes = new Sandbox.Factory(limits, nanoTime);
            RenderedConfig rendering =
                    exceeded.render(input, facts.now(), () -> new Renderer(sandboxes::open).render(input));
            OwnershipAnnotations marks = OwnershipAnnotations.of(machineDeployment, facts.tenant());
            return new ObjectsBuilder(input, rendering, marks, fetch, contents).build();
        }

        private static RenderInput input(
                Facts facts, Facts.NameClaimant subject, Sensitive token, FetchCredential fetch) {
            ApiServerEndpoint apiServer = require(facts.apiServer());
            return new RenderInput(
                    facts.tenant().namespace(),
                    subject.machineDeployment(),
                    require(subject.profile()),
                    facts.tenant().settings(),
                    new RenderInput.BootstrapAccess(apiServer, token, fetch.token()),
                    require(facts.tenant().references()),
                    facts.references());
        }

        private static <T> T require(LookupResult<T> lookup) {
            return switch (lookup) {
                case LookupResult.Found<T>(T value) -> value;
                case LookupResult.Missing<T>(List<ProblemFinding> findings) -> throw new TenantMistake(findings);
            };
        }
    }

    /** Builds the objects of one rendering. */
    private record ObjectsBuilder(
            RenderInput input,
            RenderedConfig rendering,
            OwnershipAnnotations marks,
            FetchCredential fetch,
            NodeContentCheck contents) {
        RenderedObjects build() {
            OperatingSystemConfig config = rendering.stored();
            String spec = OperatingSystemConfigWriter.spec(config.spec());
            try {
                requireFits(config, spec);
                RenderedConfig.Documents documents = UserDataDocuments.createDocuments(input, rendering);
                return of(spec, WorkerSecrets.of(input, rendering, documents), documents);
            } catch (TenantMistake e) {
                if (!e.findings().stream().allMatch(ObjectsBuilder::isAboutSize)) {
                    throw e;
                }
                return new RenderedObjects(
                        rendered(spec, Map.of()),
                        rendering,
                        new EnumMap<>(SecretRole.class),
                        new EnumMap<>(SecretRole.class),
                        e.findings());
            }
        }

        private static boolean isAboutSize(ProblemFinding finding) {
            return finding.reason().equals("UserDataTooLarge")
                    || finding.reason().equals("ObjectTooLarge");
        }

        private static void requireFits(OperatingSystemConfig config, String spec) {
            // A char has at most three bytes.
            if (spec.length() > UserDataSize.OBJECT_BYTES / 3) {
                int bytes = spec.getBytes(UTF_8).length;
                if (bytes > UserDataSize.OBJECT_BYTES) {
                    throw new TenantMistake(new ProblemFinding(
                            "ObjectTooLarge",
                            "OperatingSystemConfig " + config.name(),
                            "",
                            String.format(
                                    Locale.ROOT,
                                    "%,d B, the API server accepts %,d B, largest: %s",
                                    bytes,
                                    UserDataSize.OBJECT_BYTES,
                                    largest(config.spec())),
                            "shorten it"));
                }
            }
        }

        private static String largest(OperatingSystemConfig.Spec spec) {
            OperatingSystemConfig.File largest = null;
            String part = "";
            for (boolean bootstrap : new boolean[] {true, false}) {
                for (OperatingSystemConfig.File file :
                        (bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig()).files()) {
                    if (largest == null || file.data().length() > largest.data().length()) {
                        largest = file;
                        part = bootstrap ? "bootstrapConfig" : "provisioningConfig";
                    }
                }
            }
            return largest == null
                    ? "no file"
                    : String.format(
                            Locale.ROOT,
                            "spec.%s (%s) %,d B",
                            part,
                            largest.path(),
                            largest.data().getBytes(UTF_8).length);
        }

        private RenderedObjects of(String spec, WorkerSecrets secrets, RenderedConfig.Documents documents) {
            Map<SecretRole, DesiredSecret> objects = new EnumMap<>(SecretRole.class);
            Map<SecretRole, SortedMap<String, String>> digests = new EnumMap<>(SecretRole.class);
            Map<SecretRole, Integer> bytes = new EnumMap<>(SecretRole.class);
            for (SecretRole role : SecretRole.values()) {
                WorkerSecrets.WorkerSecret secret =
                        switch (role) {
                            case KUBELET_BOOTSTRAP -> secrets.kubeletBootstrap();
                            case EDGE_SCRIPT -> secrets.edgeScript();
                            case PROVISIONING -> secrets.provisioning();
                            case BOOTSTRAP -> secrets.bootstrap();
                        };
                if (secret != null) {
                    DesiredSecret object = object(secret, role);
                    SortedMap<String, String> values = new TreeMap<>();
                    object.data().forEach((key, value) -> values.put(key, Sha256.hex(value.reveal())));
                    objects.put(role, object);
                    digests.put(role, values);
                    bytes.put(
                            role,
                            role == SecretRole.BOOTSTRAP
                                    ? documents.bootstrapSize().bytes()
                                    : secret.payload().reveal().getBytes(UTF_8).length);
                }
            }
            return new RenderedObjects(
                    rendered(spec, bytes), rendering, objects, digests, contents.check(input, rendering, documents));
        }

        private DesiredSecret object(WorkerSecrets.WorkerSecret secret, SecretRole role) {
            SortedMap<String, String> annotations = new TreeMap<>(secret.annotations());
            annotations.putAll(marks.workerAnnotations());
            SortedMap<String, Sensitive> data = new TreeMap<>();
            data.put(secret.key(), secret.payload());
            if (role == SecretRole.BOOTSTRAP && fetch.isOwn()) {
                data.put(FetchToken.SECRET_KEY, fetch.token());
            }
            return new DesiredSecret(
                    ObjectNames.SETTINGS_NAMESPACE,
                    secret.name(),
                    secret.type().isEmpty() ? StoredSecret.OPAQUE : secret.type(),
                    annotations,
                    new TreeMap<>(OwnershipAnnotations.LABELS),
                    data);
        }

        private Decision.RenderSummary rendered(String spec, Map<SecretRole, Integer> bytes) {
            return new Decision.RenderSummary(
                    input.profile(),
                    rendering.stamps(),
                    SpecHash.of(spec),
                    settingsHash(input.settings()),
                    bytes,
                    UserDataSize.limit(
                            rendering.provider().cloudProvider(),
                            input.settings().userDataLimitBytes()));
        }
    }

    /** Equal settings have equal texts; only a proxy's URL may hold a password. */
    static String settingsHash(Provisioning settings) {
        String text = settings.toString();
        String proxy = settings.proxy().httpProxy();
        int at = proxy.lastIndexOf('@');
        return Sha256.hex(at < 0 ? text : text.replace(proxy, proxy.substring(at)));
    }
}
