package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.plan.RenderedObjects.ObjectsRenderer;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CredentialRemover;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.UserDataDocuments.FileSize;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.userdata.UserDataSize;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Renders what a MachineDeployment would get, for users. Credentials are replaced before rendering, by placeholders or,
 * for measuring, by other letters of the same number: so no text, message or size can reveal one. Thread-safe.
 */
public final class Previewer {
    private static final int MOST_FILES = 10;
    /** As long as every bootstrap token: its ID, a dot, its secret. */
    private static final Sensitive BOOTSTRAP_TOKEN = new Sensitive("xxxxxx.xxxxxxxxxxxxxxxx");
    /** Usual length of a fetch token. */
    private static final int FETCH_TOKEN_LENGTH = 1_000;

    private final ObjectsRenderer renderer;
    /** Remembers texts, most of which many MachineDeployments share. Separate, so that previews evict nothing from that for publishing. */
    private final NodeContentCheck contents = new NodeContentCheck();

    /** @param renderer its limit violations are only read */
    Previewer(ObjectsRenderer renderer) {
        this.renderer = renderer;
    }

    /**
     * Renders from the facts.
     *
     * @throws TenantMistake if it cannot be rendered
     */
    public Preview preview(Facts facts) {
        List<Problem> missing =
                new ArrayList<>(ObjectNames.of(facts.machineDeployment()).findTooLongNames());
        missing.addAll(facts.findMissingSettings());
        missing.addAll(facts.profile().findings());
        if (!missing.isEmpty()) {
            throw new TenantMistake(missing);
        }
        Sensitive shared = facts.fetch().shared().value();
        Sensitive fetchToken = UserDataSize.standIn(
                shared == null ? FETCH_TOKEN_LENGTH : shared.reveal().length());
        RenderInput published = ObjectsRenderer.input(facts, facts.self(), BOOTSTRAP_TOKEN, fetchToken);
        renderer.exceeded().requireNoRecentViolation(published, facts.now());
        RenderInput input = withoutCredentials(published);
        RenderedConfig rendering = renderer.render(input);
        RenderedTexts measuredTexts = RenderedTexts.of(input, rendering);
        String spec = OperatingSystemConfigWriter.spec(rendering.stored().spec());
        List<Problem> findings = new ArrayList<>(RenderedObjects.findTooLarge(rendering.stored(), spec));
        try {
            UserDataDocuments.requireWithinLimits(input, rendering, measuredTexts.documents());
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
        }
        findings.addAll(rendering.warnings(input.profile()));
        findings.addAll(contents.check(input, rendering, measuredTexts.documents()));
        return new Preview(measuredTexts, spec, findings);
    }

    private static RenderInput withoutCredentials(RenderInput input) {
        return new RenderInput(
                input.tenantNamespace(),
                CredentialRemover.removeCredentials(input.machineDeployment()),
                input.profile(),
                input.settings(),
                input.access(),
                CredentialRemover.removeCredentials(input.resolved()));
    }

    /** An OperatingSystemConfig as YAML for users. */
    public static String yaml(OperatingSystemConfig config) {
        return yaml(OperatingSystemConfigWriter.object(config));
    }

    private static String yaml(String object) {
        try {
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(object)));
        } catch (GoCallException e) {
            throw new IllegalStateException("an OperatingSystemConfig cannot be written as YAML", e);
        }
    }

    /** A rendering with its documents and Secrets. */
    private record RenderedTexts(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents, WorkerSecrets secrets) {
        static RenderedTexts of(RenderInput input, RenderedConfig rendering) {
            RenderedConfig.Documents documents = UserDataDocuments.createUnchecked(input, rendering);
            return new RenderedTexts(input, rendering, documents, WorkerSecrets.of(input, rendering, documents));
        }

        /** The same with placeholders for tokens. */
        RenderedTexts withPlaceholders() {
            RenderInput.BootstrapAccess placeholders = new RenderInput.BootstrapAccess(
                    input.access().apiServer(),
                    new Sensitive(CredentialPlaceholder.BOOTSTRAP_TOKEN.text()),
                    new Sensitive(CredentialPlaceholder.FETCH_TOKEN.text()));
            RenderedConfig shown = new RenderedConfig(
                    rendering.names(),
                    rendering.stamps(),
                    rendering.provider(),
                    rendering.stored(),
                    rendering.stored().spec(),
                    new Sensitive(placeholders.apiServer().bootstrapKubeconfig(placeholders.bootstrapToken())),
                    rendering.composition());
            return of(
                    new RenderInput(
                            input.tenantNamespace(),
                            input.machineDeployment(),
                            input.profile(),
                            input.settings(),
                            placeholders,
                            input.resolved()),
                    shown);
        }
    }

    /**
     * What a MachineDeployment would get, rendered without any credential. Texts for users and hashes are made when they are asked
     * for, at each call and on its thread: a comparison of a fleet needs few of them, and they take longer than a rendering.
     * Thread-safe.
     */
    public static final class Preview {
        static final List<SecretRole> ORDER = List.of(
                SecretRole.BOOTSTRAP, SecretRole.PROVISIONING, SecretRole.KUBELET_BOOTSTRAP, SecretRole.EDGE_SCRIPT);

        private final RenderedTexts measuredTexts;
        private final String spec;
        private final List<Problem> findings;

        /** @param measuredTexts with other letters of the same number in place of credentials */
        private Preview(RenderedTexts measuredTexts, String spec, List<Problem> findings) {
            this.measuredTexts = measuredTexts;
            this.spec = spec;
            this.findings = List.copyOf(findings);
        }

        /** Hashes and sizes. */
        public Decision.RenderSummary rendered() {
            Map<SecretRole, Integer> bytes = new EnumMap<>(SecretRole.class);
            for (SecretRole role : ORDER) {
                WorkerSecrets.WorkerSecret secret = role.of(measuredTexts.secrets());
                if (secret != null) {
                    bytes.put(role, RenderedObjects.bytes(role, secret, measuredTexts.documents()));
                }
            }
            return RenderedObjects.summarize(measuredTexts.input(), measuredTexts.rendering(), spec, bytes);
        }

        /** In the order of {@link #ORDER}, then the OperatingSystemConfig. */
        public List<Document> documents() {
            return documents(measuredTexts.withPlaceholders());
        }

        /** The same, only for comparing: their texts have other letters in place of placeholders. */
        public List<Document> documentsToCompare() {
            return documents(measuredTexts);
        }

        /** An error would prevent publishing. */
        public List<Problem> findings() {
            return findings;
        }

        /** The largest files of a document; none of one that is not user-data. */
        public List<FileSize> largestFiles(Document document) {
            boolean isUserData = document.role() == SecretRole.BOOTSTRAP || document.role() == SecretRole.PROVISIONING;
            return isUserData
                    ? UserDataDocuments.largestFiles(
                            measuredTexts.input(),
                            measuredTexts.rendering(),
                            document.role() == SecretRole.BOOTSTRAP,
                            MOST_FILES)
                    : List.of();
        }

        private List<Document> documents(RenderedTexts texts) {
            UserDataSize bootstrap = measuredTexts.documents().bootstrapSize();
            UserDataSize.Limit secretLimit = new UserDataSize.Limit(UserDataSize.SECRET_BYTES, "Secret");
            boolean ignition =
                    measuredTexts.rendering().revealed().provisioningUtility().equals("ignition");
            List<Document> documents = new ArrayList<>();
            for (SecretRole role : ORDER) {
                WorkerSecrets.WorkerSecret secret = role.of(measuredTexts.secrets());
                WorkerSecrets.WorkerSecret text = role.of(texts.secrets());
                if (secret == null || text == null) {
                    continue;
                }
                documents.add(new Document(
                        role,
                        switch (role) {
                            case BOOTSTRAP, PROVISIONING -> ignition ? "ignition" : "cloud-config";
                            case KUBELET_BOOTSTRAP -> "yaml";
                            case EDGE_SCRIPT -> "shell";
                        },
                        text.payload().reveal(),
                        RenderedObjects.bytes(role, secret, measuredTexts.documents()),
                        role == SecretRole.BOOTSTRAP ? bootstrap.uncompressedBytes() : null,
                        switch (role) {
                            case BOOTSTRAP -> Objects.requireNonNullElse(bootstrap.limit(), secretLimit);
                            case PROVISIONING -> secretLimit;
                            case KUBELET_BOOTSTRAP, EDGE_SCRIPT -> null;
                        }));
            }
            documents.add(new Document(
                    null,
                    "yaml",
                    OperatingSystemConfigWriter.object(measuredTexts.rendering().stored(), spec),
                    spec.getBytes(UTF_8).length,
                    null,
                    new UserDataSize.Limit(UserDataSize.OBJECT_BYTES, "etcd")));
            return documents;
        }

        /**
         * One document.
         *
         * @param role null for the OperatingSystemConfig
         * @param format {@code cloud-config}, {@code ignition}, {@code yaml} or {@code shell}
         * @param text of an OperatingSystemConfig as JSON, see {@link #shownText}
         * @param bytes with tokens of the usual length in place of the placeholders; of bootstrap user-data, as passed to the
         *     cloud provider
         * @param uncompressedBytes null unless the cloud provider receives it compressed
         * @param limit null without a limit
         */
        public record Document(
                @Nullable SecretRole role,
                String format,
                String text,
                int bytes,
                @Nullable Integer uncompressedBytes,
                UserDataSize.@Nullable Limit limit) {
            /** As people read it: an OperatingSystemConfig as YAML, which takes longer to write than to render. */
            public String shownText() {
                return role == null ? yaml(text) : text;
            }
        }
    }
}
