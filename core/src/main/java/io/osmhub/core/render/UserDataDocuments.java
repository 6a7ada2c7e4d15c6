package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import io.osmhub.core.userdata.UserDataSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Builds the two user-data documents of a rendering and checks their size. */
public final class UserDataDocuments {
    private final RenderInput input;
    private final RenderedConfig rendering;
    private final ProviderConfig config;

    private UserDataDocuments(RenderInput input, RenderedConfig rendering) {
        this.input = input;
        this.rendering = rendering;
        this.config = rendering.provider();
    }

    /** @throws TenantMistake if a value cannot be represented in a document, or a document is too large */
    public static RenderedConfig.Documents createDocuments(RenderInput input, RenderedConfig rendering) {
        RenderedConfig.Documents documents = createUnchecked(input, rendering);
        requireWithinLimits(input, rendering, documents);
        return documents;
    }

    /**
     * The documents without a check of their size, for users.
     *
     * @throws TenantMistake if a value cannot be represented in a document
     */
    public static RenderedConfig.Documents createUnchecked(RenderInput input, RenderedConfig rendering) {
        UserDataDocuments documents = new UserDataDocuments(input, rendering);
        // Provisioning first, as in OSM, so that the first mistake is the same.
        String provisioning = documents.document(documents.documentInput(false));
        UserDataInput machine = documents.documentInput(true);
        String bootstrap = documents.document(machine);
        return new RenderedConfig.Documents(
                bootstrap,
                provisioning,
                UserDataSize.of(
                        machine,
                        bootstrap,
                        input.access().fetchToken(),
                        input.settings().userDataLimitBytes()));
    }

    /** @throws TenantMistake if a document is too large */
    public static void requireWithinLimits(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        new UserDataDocuments(input, rendering).requireFits(documents);
    }

    /**
     * A file of a document.
     *
     * @param field its path in the profile; empty for one that the hub adds
     * @param bytes of its content before any encoding
     */
    public record FileSize(String field, String path, int bytes) {}

    /** The largest files of a document, the largest first. */
    public static List<FileSize> largestFiles(
            RenderInput input, RenderedConfig rendering, boolean bootstrap, int most) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        List<OperatingSystemConfig.File> files =
                (bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig()).files();
        CompiledProfile compiled = input.profile().compiled();
        CompiledProfile.Part part = bootstrap ? compiled.bootstrap() : compiled.provisioning();
        List<FileSize> sizes = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            String field = i < part.files().size() ? part.files().get(i).field() : "";
            int path = field.indexOf(" (");
            sizes.add(new FileSize(
                    path < 0 ? field : field.substring(0, path),
                    files.get(i).path(),
                    utf8Length(files.get(i).data())));
        }
        return sizes.stream()
                .sorted(Comparator.comparingInt(FileSize::bytes).reversed())
                .limit(most)
                .toList();
    }

    private UserDataInput documentInput(boolean bootstrap) {
        MachineDeployment machineDeployment = input.machineDeployment();
        OperatingSystemConfig.Spec spec = rendering.revealed();
        String utility = ProfileCompatibility.utility(
                config,
                machineDeployment,
                input.profile().compiled().spec().templateEngine() == TemplateLanguage.HANDLEBARS);
        if (!utility.equals(spec.provisioningUtility())) {
            throw new TenantMistake(ProfileCompatibility.utilityMismatch(
                    input.profile().describe(), spec.provisioningUtility(), utility, machineDeployment));
        }
        return new UserDataInput(
                bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig(),
                utility,
                spec.osName(),
                spec.cloudProvider(),
                machineDeployment.name(),
                config.distUpgradeOnBoot(machineDeployment),
                bootstrap);
    }

    private String document(UserDataInput document) {
        try {
            return UserDataGenerator.generateDocument(document);
        } catch (TenantMistake e) {
            throw new TenantMistake(
                    e.findings().stream().map(this::aboutProfile).toList());
        }
    }

    /** Locates a finding about a document in the profile, which its author can fix; a path in the OSC would not help them. */
    private ProblemFinding aboutProfile(ProblemFinding finding) {
        String field = finding.field();
        boolean bootstrap = field.startsWith("spec.bootstrapConfig.");
        CompiledProfile compiled = input.profile().compiled();
        CompiledProfile.Part part = bootstrap ? compiled.bootstrap() : compiled.provisioning();
        String prefix = part.path() + ".files[";
        int end = field.indexOf(']');
        if (!field.startsWith(prefix) || end < 0) {
            return Renderer.withObject(input.profile().describe(), finding);
        }
        int index = Integer.parseInt(field.substring(prefix.length(), end));
        String place = index < part.files().size() ? part.files().get(index).field() : field;
        return new ProblemFinding(
                finding.reason(),
                input.profile().describe(),
                place,
                finding.line(),
                finding.column(),
                finding.what(),
                finding.cure());
    }

    private void requireFits(RenderedConfig.Documents documents) {
        UserDataSize size = documents.bootstrapSize();
        UserDataSize.Limit limit = size.limit();
        if (limit != null && size.isTooLarge()) {
            throw new TenantMistake(new ProblemFinding(
                    "UserDataTooLarge",
                    input.machineDeployment().describe(),
                    "",
                    String.format(
                            Locale.ROOT,
                            "user-data is %,d bytes too large for %s (%s of %s), largest: %s",
                            size.bytes() - limit.bytes(),
                            config.cloudProvider(),
                            UserDataSize.formatBytes(size.bytes()),
                            UserDataSize.formatBytes(limit.bytes())
                                    + (size.uncompressedBytes() == null ? "" : " after gzip"),
                            largestFiles(true)),
                    "move it to provisioningConfig of " + input.profile().describe() + " and raise its version"));
        }
        requireObjectFits(rendering.names().bootstrapSecret(), documents.bootstrap(), true);
        requireObjectFits(rendering.names().provisioningSecret(), documents.provisioning(), false);
    }

    private void requireObjectFits(String secret, String text, boolean bootstrap) {
        if (exceeds(text, UserDataSize.SECRET_BYTES)) {
            throw new TenantMistake(new ProblemFinding(
                    "ObjectTooLarge",
                    "Secret " + secret,
                    "",
                    UserDataSize.formatBytes(utf8Length(text)) + ", the API server accepts "
                            + UserDataSize.formatBytes(UserDataSize.SECRET_BYTES) + ", largest: "
                            + largestFiles(bootstrap),
                    "shorten it in " + input.profile().describe()));
        }
    }

    private String largestFiles(boolean bootstrap) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        List<OperatingSystemConfig.File> files =
                (bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig()).files();
        CompiledProfile compiled = input.profile().compiled();
        CompiledProfile.Part part = bootstrap ? compiled.bootstrap() : compiled.provisioning();
        int largest = -1;
        int size = -1;
        for (int i = 0; i < files.size(); i++) {
            int length = utf8Length(files.get(i).data());
            if (length > size) {
                largest = i;
                size = length;
            }
        }
        if (largest < 0) {
            return "no file";
        }
        String field = largest < part.files().size()
                ? part.files().get(largest).field()
                : files.get(largest).path();
        return field + " " + UserDataSize.formatBytes(size);
    }

    private static boolean exceeds(String text, int limit) {
        // A char has at most three bytes, so that few texts have to be counted.
        return text.length() > limit / 3 && utf8Length(text) > limit;
    }

    private static int utf8Length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
