package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.BootstrapKubeconfig;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CredentialRemover;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import io.osmhub.core.render.LimitViolationCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.UserDataDocuments.FileSize;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.userdata.EdgeScript;
import io.osmhub.core.userdata.UserDataSize;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders what a MachineDeployment would get, for users. Credentials are replaced before rendering, by placeholders or,
 * for measuring, by other letters of the same number: so no text, message or size can reveal one. Thread-safe.
 */
public final class Previewer {
    private static final int MOST_FILES = 10;
    /** As long as every bootstrap token: its ID, a dot, its secret. */
    private static final Sensitive BOOTSTRAP_TOKEN = new Sensitive("xxxxxx.xxxxxxxxxxxxxxxx");

    private static final ReferenceResolver PLACEHOLDERS =
            reference -> new ReferenceResolver.ResolveResult.Found(CredentialPlaceholder.PROVIDER_SPEC.text());

    private final RenderLimits limits;
    private final LongSupplier nanoTime;
    private final LimitViolationCache exceeded;

    /**
     * @param limits of one rendering
     * @param nanoTime monotonic, for the time limit
     * @param exceeded limit violations seen by publishing; only read
     */
    public Previewer(RenderLimits limits, LongSupplier nanoTime, LimitViolationCache exceeded) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.exceeded = exceeded;
    }

    /**
     * Renders from the facts.
     *
     * @throws TenantMistake if it cannot be rendered
     */
    public Preview preview(Facts facts) {
        RenderInput published = input(facts);
        exceeded.requireNoRecentViolation(published, facts.now());
        RenderInput input = withoutCredentials(published);
        Sandbox.Factory sandboxes = new Sandbox.Factory(limits, nanoTime);
        RenderedConfig measured = new Renderer(sandboxes::open).render(input);
        RenderedConfig shown = new RenderedConfig(
                measured.names(),
                measured.stamps(),
                measured.provider(),
                measured.stored(),
                measured.stored().spec(),
                kubeconfig(input));
        return new PreviewBuilder(input, measured, shown).build();
    }

    private static RenderInput input(Facts facts) {
        List<ProblemFinding> missing =
                new ArrayList<>(ObjectNames.of(facts.machineDeployment()).findTooLongNames());
        String workerCluster = facts.tenant().workerCluster();
        facts.tenant().references().findings().forEach(finding -> missing.add(finding.ofWorkerCluster(workerCluster)));
        facts.apiServer().findings().forEach(finding -> missing.add(finding.ofWorkerCluster(workerCluster)));
        missing.addAll(facts.profile().findings());
        if (!missing.isEmpty()) {
            throw new TenantMistake(missing);
        }
        return new RenderInput(
                facts.tenant().namespace(),
                facts.machineDeployment(),
                found(facts.profile()),
                facts.tenant().settings(),
                new RenderInput.BootstrapAccess(
                        found(facts.apiServer()),
                        BOOTSTRAP_TOKEN,
                        standIn(facts.fetch().shared())),
                found(facts.tenant().references()),
                PLACEHOLDERS);
    }

    private static RenderInput withoutCredentials(RenderInput input) {
        return new RenderInput(
                input.tenantNamespace(),
                CredentialRemover.removeCredentials(input.machineDeployment()),
                input.profile(),
                input.settings(),
                input.access(),
                CredentialRemover.removeCredentials(input.resolved()),
                input.references());
    }

    /** A text as long as the fetch token, for sizes; of the usual length while there is none. */
    private static Sensitive standIn(LookupResult<Sensitive> token) {
        int length = token instanceof LookupResult.Found<Sensitive>(Sensitive real)
                ? real.reveal().length()
                : 1_000;
        return UserDataSize.standIn(length);
    }

    private static <T> T found(LookupResult<T> lookup) {
        return switch (lookup) {
            case LookupResult.Found<T>(T value) -> value;
            case LookupResult.Missing<T>(List<ProblemFinding> findings) -> throw new TenantMistake(findings);
        };
    }

    private static Sensitive kubeconfig(RenderInput input) {
        ApiServerEndpoint server = input.access().apiServer();
        return new Sensitive(
                BootstrapKubeconfig.text(server, new Sensitive(CredentialPlaceholder.BOOTSTRAP_TOKEN.text())));
    }

    /** An OperatingSystemConfig as YAML for users. */
    public static String yaml(OperatingSystemConfig config) {
        try {
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(OperatingSystemConfigWriter.object(config))));
        } catch (GoCallException e) {
            throw new IllegalStateException("an OperatingSystemConfig cannot be written as YAML", e);
        }
    }

    /** One rendering twice: one to measure, one to show. */
    private record PreviewBuilder(RenderInput input, RenderedConfig measured, RenderedConfig shown) {
        Preview build() {
            RenderedConfig.Documents lengths = UserDataDocuments.createUnchecked(input, measured);
            RenderedConfig.Documents texts = UserDataDocuments.createUnchecked(input, shown);
            String spec = OperatingSystemConfigWriter.spec(shown.stored().spec());
            List<Preview.Document> documents = new ArrayList<>();
            UserDataSize bootstrap = lengths.bootstrapSize();
            UserDataSize.Limit limit = bootstrap.limit();
            documents.add(userData(
                    true,
                    bootstrap.bytes(),
                    bootstrap.uncompressedBytes(),
                    limit == null ? secretLimit() : limit,
                    texts.bootstrap()));
            documents.add(userData(false, length(lengths.provisioning()), null, secretLimit(), texts.provisioning()));
            documents.add(new Preview.Document(
                    Preview.Kind.KUBELET_BOOTSTRAP,
                    "yaml",
                    shown.kubeletKubeconfig().reveal(),
                    length(measured.kubeletKubeconfig().reveal()),
                    null,
                    null,
                    List.of()));
            if (measured.revealed().cloudProvider().equals("edge")) {
                documents.add(new Preview.Document(
                        Preview.Kind.EDGE_SCRIPT,
                        "shell",
                        edgeScript(new Sensitive(CredentialPlaceholder.FETCH_TOKEN.text())),
                        length(edgeScript(input.access().fetchToken())),
                        null,
                        null,
                        List.of()));
            }
            int bytes = length(spec);
            documents.add(new Preview.Document(
                    Preview.Kind.OPERATING_SYSTEM_CONFIG,
                    "yaml",
                    yaml(shown.stored()),
                    bytes,
                    null,
                    new UserDataSize.Limit(UserDataSize.OBJECT_BYTES, "etcd"),
                    List.of()));
            List<ProblemFinding> findings = tooLarge(lengths, bytes);
            findings.addAll(new NodeContentCheck().check(input, shown, texts));
            return new Preview(rendered(spec, documents), documents, findings);
        }

        private static UserDataSize.Limit secretLimit() {
            return new UserDataSize.Limit(UserDataSize.SECRET_BYTES, "Secret");
        }

        private Preview.Document userData(
                boolean bootstrap, int bytes, @Nullable Integer uncompressed, UserDataSize.Limit limit, String text) {
            return new Preview.Document(
                    bootstrap ? Preview.Kind.BOOTSTRAP : Preview.Kind.PROVISIONING,
                    measured.revealed().provisioningUtility().equals("ignition") ? "ignition" : "cloud-config",
                    text,
                    bytes,
                    uncompressed,
                    limit,
                    UserDataDocuments.largestFiles(input, measured, bootstrap, MOST_FILES));
        }

        private String edgeScript(Sensitive token) {
            return new EdgeScript(
                            input.access().apiServer().server(),
                            token,
                            measured.names().bootstrapSecret(),
                            input.resolved().kubernetesCa())
                    .text();
        }

        private List<ProblemFinding> tooLarge(RenderedConfig.Documents lengths, int configBytes) {
            List<ProblemFinding> findings = new ArrayList<>();
            if (configBytes > UserDataSize.OBJECT_BYTES) {
                findings.add(new ProblemFinding(
                        "ObjectTooLarge",
                        "OperatingSystemConfig " + measured.stored().name(),
                        "",
                        String.format(
                                Locale.ROOT,
                                "%,d B, the API server accepts %,d B",
                                configBytes,
                                UserDataSize.OBJECT_BYTES),
                        "shorten it"));
            }
            try {
                UserDataDocuments.requireWithinLimits(input, measured, lengths);
            } catch (TenantMistake e) {
                findings.addAll(e.findings());
            }
            return findings;
        }

        private Decision.RenderSummary rendered(String spec, List<Preview.Document> documents) {
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
            return new Decision.RenderSummary(
                    input.profile(),
                    measured.stamps(),
                    SpecHash.of(spec),
                    RenderedObjects.settingsHash(input.settings()),
                    bytes,
                    UserDataSize.limit(
                            measured.provider().cloudProvider(),
                            input.settings().userDataLimitBytes()));
        }

        private static int length(String text) {
            return text.getBytes(UTF_8).length;
        }
    }

    /**
     * What a MachineDeployment would get, rendered without any credential.
     *
     * @param rendered hashes and sizes
     * @param documents in the order of {@link Kind}
     * @param findings an error would prevent publishing
     */
    public record Preview(Decision.RenderSummary rendered, List<Document> documents, List<ProblemFinding> findings) {
        public Preview {
            documents = List.copyOf(documents);
            findings = List.copyOf(findings);
        }

        public enum Kind {
            BOOTSTRAP,
            PROVISIONING,
            KUBELET_BOOTSTRAP,
            EDGE_SCRIPT,
            OPERATING_SYSTEM_CONFIG
        }

        /**
         * One document.
         *
         * @param format {@code cloud-config}, {@code ignition}, {@code yaml} or {@code shell}
         * @param text with placeholders
         * @param bytes with tokens of the usual length in place of the placeholders; of bootstrap user-data, as passed to the
         *     cloud provider
         * @param uncompressedBytes null unless the cloud provider receives it compressed
         * @param limit null without a limit
         * @param largest its largest files
         */
        public record Document(
                Kind kind,
                String format,
                String text,
                int bytes,
                @Nullable Integer uncompressedBytes,
                UserDataSize.@Nullable Limit limit,
                List<FileSize> largest) {
            public Document {
                largest = List.copyOf(largest);
            }
        }
    }
}
