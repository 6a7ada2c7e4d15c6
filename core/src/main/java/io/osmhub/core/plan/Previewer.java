package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.BootstrapKubeconfig;
import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.ConfigWriter;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CredentialFree;
import io.osmhub.core.render.ExceededLimits;
import io.osmhub.core.render.Placeholder;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.UserDataLimit;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.userdata.EdgeScript;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders what a MachineDeployment would get, for people. Credentials are replaced before anything is rendered, by placeholders or, where
 * only the length of a text matters, by letters: so neither a text nor a message nor a size can tell of one. Safe for use by many threads.
 */
public final class Previewer {
    private static final int MOST_FILES = 10;
    /** As long as every bootstrap token: its ID, a dot, its secret. */
    private static final Sensitive BOOTSTRAP_TOKEN = new Sensitive("xxxxxx.xxxxxxxxxxxxxxxx");

    private static final ReferenceResolver PLACEHOLDERS =
            reference -> new ReferenceResolver.Answer.Found(Placeholder.PROVIDER_SPEC.text());

    private final Limits limits;
    private final LongSupplier nanoTime;
    private final ExceededLimits exceeded;

    /**
     * @param limits of one rendering
     * @param nanoTime monotonic, for the limit of time
     * @param exceeded what publishing exceeded; only read
     */
    public Previewer(Limits limits, LongSupplier nanoTime, ExceededLimits exceeded) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.exceeded = exceeded;
    }

    /**
     * Renders what the facts want.
     *
     * @throws TenantMistake with what keeps it from being rendered
     */
    public Preview preview(Facts facts) {
        RenderInput published = input(facts);
        exceeded.requireWithin(published, facts.now());
        RenderInput input = withoutCredentials(published);
        Sandbox.Factory sandboxes = new Sandbox.Factory(
                limits,
                InstantSource.fixed(Rendition.Maker.steadyTime(facts.machineDeployment(), facts.now())),
                ZoneOffset.UTC,
                new SeededRandom(
                        facts.machineDeployment().uid(),
                        input.profile().compiled().contentHash(),
                        BOOTSTRAP_TOKEN.reveal()),
                nanoTime);
        Rendering measured = new Renderer(sandboxes::open).render(input);
        Rendering shown = new Rendering(
                measured.names(),
                measured.stamps(),
                measured.provider(),
                measured.stored(),
                measured.stored().spec(),
                kubeconfig(input));
        return new One(input, measured, shown).preview();
    }

    private static RenderInput input(Facts facts) {
        List<Finding> missing = new ArrayList<>();
        facts.tenant().references().findings().forEach(finding -> missing.add(ofSettings(facts, finding)));
        facts.apiServer().findings().forEach(finding -> missing.add(ofSettings(facts, finding)));
        missing.addAll(facts.profile().findings());
        if (!missing.isEmpty()) {
            throw new TenantMistake(missing);
        }
        return new RenderInput(
                facts.tenant().namespace(),
                facts.machineDeployment(),
                found(facts.profile()),
                facts.tenant().settings(),
                new RenderInput.Access(
                        found(facts.apiServer()),
                        BOOTSTRAP_TOKEN,
                        standIn(facts.fetch().shared())),
                found(facts.tenant().references()),
                PLACEHOLDERS);
    }

    private static RenderInput withoutCredentials(RenderInput input) {
        return new RenderInput(
                input.tenantNamespace(),
                CredentialFree.of(input.machineDeployment()),
                input.profile(),
                input.settings(),
                input.access(),
                CredentialFree.of(input.resolved()),
                input.references());
    }

    private static Finding ofSettings(Facts facts, Finding finding) {
        return finding.object().isEmpty()
                ? new Finding(
                        finding.reason(),
                        "WorkerCluster " + facts.tenant().workerCluster(),
                        finding.field().isEmpty() ? "" : "spec." + finding.field(),
                        finding.what(),
                        finding.cure())
                : finding;
    }

    /** A text as long as the token with which machines fetch, for sizes; the usual length while there is none. */
    private static Sensitive standIn(Lookup<Sensitive> token) {
        int length = token instanceof Lookup.Found<Sensitive>(Sensitive real)
                ? real.reveal().length()
                : 1_000;
        return new Sensitive("x".repeat(length));
    }

    private static <T> T found(Lookup<T> lookup) {
        return switch (lookup) {
            case Lookup.Found<T>(T value) -> value;
            case Lookup.Missing<T>(List<Finding> findings) -> throw new TenantMistake(findings);
        };
    }

    private static Sensitive kubeconfig(RenderInput input) {
        ApiServer server = input.access().apiServer();
        return new Sensitive(BootstrapKubeconfig.text(server, new Sensitive(Placeholder.BOOTSTRAP_TOKEN.text())));
    }

    /** An OperatingSystemConfig as people read it. */
    public static String yaml(OperatingSystemConfig config) {
        try {
            return Str.text(SigsYaml.fromJson(Str.bytes(ConfigWriter.object(config))));
        } catch (CallFailure e) {
            throw new IllegalStateException("an OperatingSystemConfig has a form in YAML", e);
        }
    }

    /** One rendering in two forms: one to measure, one to show. */
    private record One(RenderInput input, Rendering measured, Rendering shown) {
        Preview preview() {
            Rendering.Documents lengths = UserDataDocuments.ofAnySize(input, measured);
            Rendering.Documents texts = UserDataDocuments.ofAnySize(input, shown);
            String spec = ConfigWriter.spec(shown.stored().spec());
            List<Preview.Document> documents = new ArrayList<>();
            documents.add(userData(true, lengths.bootstrap(), texts.bootstrap()));
            documents.add(userData(false, lengths.provisioning(), texts.provisioning()));
            documents.add(new Preview.Document(
                    Preview.Kind.KUBELET_BOOTSTRAP,
                    "yaml",
                    shown.kubeletKubeconfig().reveal(),
                    length(measured.kubeletKubeconfig().reveal()),
                    null,
                    "",
                    List.of()));
            if (measured.revealed().cloudProvider().equals("edge")) {
                documents.add(new Preview.Document(
                        Preview.Kind.EDGE_SCRIPT,
                        "shell",
                        edgeScript(new Sensitive(Placeholder.FETCH_TOKEN.text())),
                        length(edgeScript(input.access().fetchToken())),
                        null,
                        "",
                        List.of()));
            }
            int bytes = length(spec);
            documents.add(new Preview.Document(
                    Preview.Kind.OPERATING_SYSTEM_CONFIG,
                    "yaml",
                    yaml(shown.stored()),
                    bytes,
                    UserDataLimit.OBJECT_BYTES,
                    "etcd",
                    List.of()));
            return new Preview(rendered(spec, documents), documents, tooLarge(lengths, bytes));
        }

        private Preview.Document userData(boolean bootstrap, String length, String text) {
            Integer provider = bootstrap ? limit() : null;
            boolean own = input.settings().userDataLimitBytes() != null;
            String of = provider == null
                    ? "Secret"
                    : own
                            ? "spec.provisioning.userDataLimitBytes"
                            : measured.provider().cloudProvider();
            return new Preview.Document(
                    bootstrap ? Preview.Kind.BOOTSTRAP : Preview.Kind.PROVISIONING,
                    measured.revealed().provisioningUtility().equals("ignition") ? "ignition" : "cloud-config",
                    text,
                    length(length),
                    provider == null ? Integer.valueOf(UserDataLimit.SECRET_BYTES) : provider,
                    of,
                    UserDataDocuments.largest(input, measured, bootstrap, MOST_FILES));
        }

        private String edgeScript(Sensitive token) {
            return new EdgeScript(
                            input.access().apiServer().server(),
                            token,
                            measured.names().bootstrapSecret(),
                            input.resolved().kubernetesCa())
                    .text();
        }

        private List<Finding> tooLarge(Rendering.Documents lengths, int configBytes) {
            List<Finding> findings = new ArrayList<>();
            if (configBytes > UserDataLimit.OBJECT_BYTES) {
                findings.add(new Finding(
                        "ObjectTooLarge",
                        "OperatingSystemConfig " + measured.stored().name(),
                        "",
                        String.format(
                                Locale.ROOT,
                                "%,d B, the API server takes %,d B",
                                configBytes,
                                UserDataLimit.OBJECT_BYTES),
                        "shorten it"));
            }
            try {
                UserDataDocuments.requireFit(input, measured, lengths);
            } catch (TenantMistake e) {
                findings.addAll(e.findings());
            }
            return findings;
        }

        private Decision.Rendered rendered(String spec, List<Preview.Document> documents) {
            Map<SecretRole, Integer> bytes = new EnumMap<>(SecretRole.class);
            for (Preview.Document document : documents) {
                SecretRole role =
                        switch (document.kind()) {
                            case BOOTSTRAP -> SecretRole.BOOTSTRAP;
                            case PROVISIONING -> SecretRole.PROVISIONING;
                            case KUBELET_BOOTSTRAP -> SecretRole.KUBELET_BOOTSTRAP;
                            case EDGE_SCRIPT -> SecretRole.EDGE_SCRIPT;
                            case OPERATING_SYSTEM_CONFIG -> null;
                        };
                if (role != null) {
                    bytes.put(role, document.bytes());
                }
            }
            return new Decision.Rendered(
                    input.profile(),
                    measured.stamps(),
                    SpecHash.of(spec),
                    Rendition.settingsHash(input.settings()),
                    bytes,
                    limit());
        }

        private @Nullable Integer limit() {
            Integer own = input.settings().userDataLimitBytes();
            OptionalInt providers = UserDataLimit.of(measured.provider().cloudProvider());
            return own != null || providers.isEmpty() ? own : Integer.valueOf(providers.getAsInt());
        }

        private static int length(String text) {
            return text.getBytes(UTF_8).length;
        }
    }
}
