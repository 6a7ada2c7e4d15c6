package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
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
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

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
        List<Problem> findings) {
    /** As stored, with placeholders for credentials. */
    OperatingSystemConfig config() {
        return rendering.stored();
    }

    /** Whether a stored OperatingSystemConfig is equal: with placeholders, or with credentials as OSM stores it. */
    boolean matches(StoredConfig stored) {
        return stored.contentHash().equals(rendered.contentHash())
                || stored.contentHash().equals(SpecHash.of(OperatingSystemConfigWriter.spec(rendering.revealed())));
    }

    /** Renders the objects. Thread-safe. */
    record ObjectsRenderer(
            RenderLimits limits, LongSupplier nanoTime, LimitViolationCache exceeded, NodeContentCheck contents) {
        /** @throws TenantMistake if an input is missing */
        static RenderInput input(Facts facts, Facts.NameClaimant subject, Sensitive token, Sensitive fetchToken) {
            return new RenderInput(
                    facts.tenant().namespace(),
                    subject.machineDeployment(),
                    subject.profile().require(),
                    facts.tenant().settings(),
                    new RenderInput.BootstrapAccess(facts.apiServer().require(), token, fetchToken),
                    facts.tenant().references().require());
        }

        RenderedConfig render(RenderInput input) {
            Sandbox.Factory sandboxes = new Sandbox.Factory(limits, nanoTime);
            return new Renderer(sandboxes::open).render(input);
        }

        /**
         * Renders for one MachineDeployment.
         *
         * @param token with which nodes join
         * @param fetchToken with which machines fetch
         * @param scoped whether that is scoped to the MachineDeployment, and then kept beside the user-data
         * @throws TenantMistake if the MachineDeployment, the profile or an input is invalid
         */
        RenderedObjects render(
                Facts facts, Facts.NameClaimant subject, Sensitive token, Sensitive fetchToken, boolean scoped) {
            RenderInput input = input(facts, subject, token, fetchToken);
            RenderedConfig rendering = exceeded.render(input, facts.now(), () -> render(input));
            String spec = OperatingSystemConfigWriter.spec(rendering.stored().spec());
            RenderedConfig.Documents documents;
            try {
                List<Problem> tooLarge = findTooLarge(rendering.stored(), spec);
                if (!tooLarge.isEmpty()) {
                    throw new TenantMistake(tooLarge);
                }
                documents = UserDataDocuments.createDocuments(input, rendering);
            } catch (TenantMistake e) {
                if (!e.findings().stream().allMatch(ObjectsRenderer::isAboutSize)) {
                    throw e;
                }
                Decision.RenderSummary summary = summarize(input, rendering, spec, Map.of());
                return new RenderedObjects(summary, rendering, Map.of(), Map.of(), e.findings());
            }
            WorkerSecrets secrets = WorkerSecrets.of(input, rendering, documents);
            OwnershipAnnotations marks = OwnershipAnnotations.of(subject.machineDeployment(), facts.tenant());
            Map<SecretRole, DesiredSecret> objects = new EnumMap<>(SecretRole.class);
            Map<SecretRole, SortedMap<String, String>> digests = new EnumMap<>(SecretRole.class);
            Map<SecretRole, Integer> bytes = new EnumMap<>(SecretRole.class);
            for (SecretRole role : SecretRole.values()) {
                WorkerSecrets.WorkerSecret secret = role.of(secrets);
                if (secret == null) {
                    continue;
                }
                SortedMap<String, String> annotations = new TreeMap<>(secret.annotations());
                annotations.putAll(marks.workerAnnotations());
                SortedMap<String, Sensitive> data = new TreeMap<>(Map.of(secret.key(), secret.payload()));
                if (role == SecretRole.BOOTSTRAP && scoped) {
                    data.put(FetchToken.SECRET_KEY, fetchToken);
                }
                SortedMap<String, String> values = new TreeMap<>();
                data.forEach((key, value) -> values.put(key, Sha256.hex(value.reveal())));
                objects.put(
                        role,
                        new DesiredSecret(
                                role, secret.name(), annotations, new TreeMap<>(OwnershipAnnotations.LABELS), data));
                digests.put(role, values);
                bytes.put(role, bytes(role, secret, documents));
            }
            return new RenderedObjects(
                    summarize(input, rendering, spec, bytes),
                    rendering,
                    objects,
                    digests,
                    Stream.concat(
                                    rendering.warnings(input.profile()).stream(),
                                    contents.check(input, rendering, documents).stream())
                            .toList());
        }

        private static boolean isAboutSize(Problem finding) {
            return finding.reason() == Reason.UserDataTooLarge || finding.reason() == Reason.ObjectTooLarge;
        }
    }

    /** Size of a Secret's value; of bootstrap user-data, as passed to the cloud provider. */
    static int bytes(SecretRole role, WorkerSecrets.WorkerSecret secret, RenderedConfig.Documents documents) {
        return role == SecretRole.BOOTSTRAP
                ? documents.bootstrapSize().bytes()
                : secret.payload().reveal().getBytes(UTF_8).length;
    }

    /** At most one finding. */
    static List<Problem> findTooLarge(OperatingSystemConfig config, String spec) {
        // A char has at most three bytes.
        int bytes = spec.length() <= UserDataSize.OBJECT_BYTES / 3 ? 0 : spec.getBytes(UTF_8).length;
        if (bytes <= UserDataSize.OBJECT_BYTES) {
            return List.of();
        }
        String largest = Stream.of(
                        config.spec().bootstrapConfig(), config.spec().provisioningConfig())
                .flatMap(part -> part.files().stream())
                .max(Comparator.comparingInt(file -> file.data().length()))
                .map(file -> String.format(
                        Locale.ROOT, "%s %,d B", file.path(), file.data().getBytes(UTF_8).length))
                .orElse("no file");
        return List.of(new Problem(
                Reason.ObjectTooLarge,
                ProblemObject.of("OperatingSystemConfig", config.name()),
                "",
                String.format(
                        Locale.ROOT,
                        "%,d B, the API server accepts %,d B, largest: %s",
                        bytes,
                        UserDataSize.OBJECT_BYTES,
                        largest),
                "shorten it"));
    }

    static Decision.RenderSummary summarize(
            RenderInput input, RenderedConfig rendering, String spec, Map<SecretRole, Integer> bytes) {
        return new Decision.RenderSummary(
                input.profile(),
                rendering.stamps(),
                rendering.extensions(input.profile()),
                SpecHash.of(spec),
                settingsHash(input.settings()),
                bytes,
                UserDataSize.limit(
                        rendering.provider().cloudProvider(), input.settings().userDataLimitBytes()));
    }

    /** Equal settings have equal texts; only a proxy's URL may hold a password. */
    private static String settingsHash(Provisioning settings) {
        String text = settings.toString();
        String proxy = settings.proxy().httpProxy();
        int at = proxy.lastIndexOf('@');
        return Sha256.hex(at < 0 ? text : text.replace(proxy, proxy.substring(at)));
    }
}
