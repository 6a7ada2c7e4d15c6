package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.ConfigWriter;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.ExceededLimits;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.UserDataLimit;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a MachineDeployment is to get, rendered.
 *
 * @param secrets by role; empty when it is too large to be published
 * @param digests of the values of {@code secrets}, by key
 * @param tooLarge why it is not published; empty when it fits
 */
record Rendition(
        Decision.Rendered rendered,
        Rendering rendering,
        Map<SecretRole, SecretObject> secrets,
        Map<SecretRole, SortedMap<String, String>> digests,
        List<Finding> tooLarge) {
    /** Templates see a time that moves in steps of this length, so that most renderings of one that prints it are alike. */
    private static final Duration TIME_STEP = Duration.ofDays(7);

    Rendition {
        secrets = Collections.unmodifiableMap(new EnumMap<>(secrets));
        digests = Collections.unmodifiableMap(new EnumMap<>(digests));
        tooLarge = List.copyOf(tooLarge);
    }

    /** As it is stored, with placeholders for credentials. */
    OperatingSystemConfig config() {
        return rendering.stored();
    }

    /** Whether an OperatingSystemConfig says the same: with placeholders, or with the credentials, as the peer stores it. */
    boolean isIn(StoredConfig stored) {
        return stored.contentHash().equals(rendered.contentHash())
                || stored.contentHash().equals(SpecHash.of(ConfigWriter.spec(rendering.revealed())));
    }

    /**
     * With which machines fetch.
     *
     * @param isOwn whether it is the MachineDeployment's own, which is then kept beside the user-data
     */
    record Fetch(Sensitive token, boolean isOwn) {}

    /** Makes renditions. Safe for use by many threads. */
    record Maker(Limits limits, LongSupplier nanoTime, ExceededLimits exceeded) {
        /**
         * Renders.
         *
         * @param token with which nodes join
         * @param fetch with which machines fetch
         * @throws TenantMistake with what is wrong with the MachineDeployment, the profile or an input
         */
        Rendition make(Facts facts, Facts.Rival subject, Sensitive token, Fetch fetch) {
            MachineDeployment machineDeployment = subject.machineDeployment();
            RenderInput input = input(facts, subject, token, fetch);
            String hash = input.profile().compiled().contentHash();
            Sandbox.Factory sandboxes = new Sandbox.Factory(
                    limits,
                    InstantSource.fixed(steadyTime(machineDeployment, facts.now())),
                    ZoneOffset.UTC,
                    new SeededRandom(machineDeployment.uid(), hash, token.reveal()),
                    nanoTime);
            Rendering rendering =
                    exceeded.render(input, facts.now(), () -> new Renderer(sandboxes::open).render(input));
            Marks marks = Marks.of(machineDeployment, facts.tenant());
            return new Work(input, rendering, marks, fetch).rendition();
        }

        static Instant steadyTime(MachineDeployment machineDeployment, Instant now) {
            Instant from = Objects.requireNonNullElse(machineDeployment.creationTimestamp(), Instant.EPOCH);
            long steps = Math.floorDiv(Duration.between(from, now).toSeconds(), TIME_STEP.toSeconds());
            return from.plus(TIME_STEP.multipliedBy(steps));
        }

        private static RenderInput input(Facts facts, Facts.Rival subject, Sensitive token, Fetch fetch) {
            ApiServer apiServer = require(facts.apiServer());
            return new RenderInput(
                    facts.tenant().namespace(),
                    subject.machineDeployment(),
                    require(subject.profile()),
                    facts.tenant().settings(),
                    new RenderInput.Access(apiServer, token, fetch.token()),
                    require(facts.tenant().references()),
                    facts.references());
        }

        private static <T> T require(Lookup<T> lookup) {
            return switch (lookup) {
                case Lookup.Found<T>(T value) -> value;
                case Lookup.Missing<T>(List<Finding> findings) -> throw new TenantMistake(findings);
            };
        }
    }

    /** Turns one rendering into objects. */
    private record Work(RenderInput input, Rendering rendering, Marks marks, Fetch fetch) {
        Rendition rendition() {
            OperatingSystemConfig config = rendering.stored();
            String spec = ConfigWriter.spec(config.spec());
            try {
                requireFits(config, spec);
                Rendering.Documents documents = UserDataDocuments.of(input, rendering);
                return of(spec, WorkerSecrets.of(input, rendering, documents));
            } catch (TenantMistake e) {
                if (!e.findings().stream().allMatch(Work::isAboutSize)) {
                    throw e;
                }
                return new Rendition(
                        rendered(spec, Map.of()),
                        rendering,
                        new EnumMap<>(SecretRole.class),
                        new EnumMap<>(SecretRole.class),
                        e.findings());
            }
        }

        private static boolean isAboutSize(Finding finding) {
            return finding.reason().equals("UserDataTooLarge")
                    || finding.reason().equals("ObjectTooLarge");
        }

        private static void requireFits(OperatingSystemConfig config, String spec) {
            // A char has three bytes at most.
            if (spec.length() > UserDataLimit.OBJECT_BYTES / 3) {
                int bytes = spec.getBytes(UTF_8).length;
                if (bytes > UserDataLimit.OBJECT_BYTES) {
                    throw new TenantMistake(new Finding(
                            "ObjectTooLarge",
                            "OperatingSystemConfig " + config.name(),
                            "",
                            String.format(
                                    Locale.ROOT,
                                    "%,d B, the API server takes %,d B; largest: %s",
                                    bytes,
                                    UserDataLimit.OBJECT_BYTES,
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

        private Rendition of(String spec, WorkerSecrets secrets) {
            Map<SecretRole, SecretObject> objects = new EnumMap<>(SecretRole.class);
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
                    SecretObject object = object(secret, role);
                    SortedMap<String, String> values = new TreeMap<>();
                    object.data().forEach((key, value) -> values.put(key, Digests.of(value.reveal())));
                    objects.put(role, object);
                    digests.put(role, values);
                    bytes.put(role, secret.payload().reveal().getBytes(UTF_8).length);
                }
            }
            return new Rendition(rendered(spec, bytes), rendering, objects, digests, List.of());
        }

        private SecretObject object(WorkerSecrets.WorkerSecret secret, SecretRole role) {
            SortedMap<String, String> annotations = new TreeMap<>(secret.annotations());
            annotations.putAll(marks.inWorker());
            SortedMap<String, Sensitive> data = new TreeMap<>();
            data.put(secret.key(), secret.payload());
            if (role == SecretRole.BOOTSTRAP && fetch.isOwn()) {
                data.put(FetchToken.SECRET_KEY, fetch.token());
            }
            return new SecretObject(
                    ObjectNames.SETTINGS_NAMESPACE,
                    secret.name(),
                    secret.type().isEmpty() ? StoredSecret.OPAQUE : secret.type(),
                    annotations,
                    new TreeMap<>(Marks.LABELS),
                    data);
        }

        private Decision.Rendered rendered(String spec, Map<SecretRole, Integer> bytes) {
            return new Decision.Rendered(
                    input.profile(),
                    rendering.stamps(),
                    SpecHash.of(spec),
                    settingsHash(input.settings()),
                    bytes,
                    limit());
        }

        private @Nullable Integer limit() {
            Integer own = input.settings().userDataLimitBytes();
            OptionalInt providers = UserDataLimit.of(rendering.provider().cloudProvider());
            return own != null || providers.isEmpty() ? own : Integer.valueOf(providers.getAsInt());
        }
    }

    /** Settings are values whose text is the same when they are; a proxy's URL is the only one that may hold a password. */
    static String settingsHash(Provisioning settings) {
        String text = settings.toString();
        String proxy = settings.proxy().httpProxy();
        int at = proxy.lastIndexOf('@');
        return Digests.of(at < 0 ? text : text.replace(proxy, proxy.substring(at)));
    }
}
