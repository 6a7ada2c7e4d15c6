package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.Renderer.RenderedConfig.FileOrigin;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import io.osmhub.core.userdata.UserDataSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Builds the two user-data documents of a rendering and checks their size. */
public final class UserDataDocuments {
    private UserDataDocuments() {}

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
        // Provisioning first, as in OSM, so that the first mistake is the same.
        String provisioning = document(input, rendering, documentInput(input, rendering, false));
        UserDataInput machine = documentInput(input, rendering, true);
        String bootstrap = document(input, rendering, machine);
        UserDataSize size = UserDataSize.of(
                machine,
                bootstrap,
                input.access().fetchToken(),
                input.settings().userDataLimitBytes());
        return new RenderedConfig.Documents(bootstrap, provisioning, size);
    }

    /** @throws TenantMistake if a document is too large */
    public static void requireWithinLimits(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        UserDataSize size = documents.bootstrapSize();
        UserDataSize.Limit limit = size.limit();
        if (limit != null && size.isTooLarge()) {
            throw tooLarge(
                    input,
                    Reason.UserDataTooLarge,
                    input.machineDeployment().describe(),
                    String.format(
                            Locale.ROOT,
                            "user-data is %,d bytes too large for %s (%s of %s), largest: %s",
                            size.bytes() - limit.bytes(),
                            rendering.provider().cloudProvider(),
                            UserDataSize.formatBytes(size.bytes()),
                            UserDataSize.formatBytes(limit.bytes())
                                    + (size.uncompressedBytes() == null ? "" : " after gzip"),
                            largestFile(input, rendering, true)),
                    largestFile(input, rendering, true).startsWith(ProfileExtension.KIND)
                            ? "move it to spec.provisioning"
                            : "move it to provisioningConfig of "
                                    + input.profile().describe() + " and raise its version");
        }
        for (boolean bootstrap : new boolean[] {true, false}) {
            String text = bootstrap ? documents.bootstrap() : documents.provisioning();
            // A char has at most three bytes, so that few texts have to be counted.
            int bytes = text.length() > UserDataSize.SECRET_BYTES / 3 ? text.getBytes(UTF_8).length : 0;
            if (bytes > UserDataSize.SECRET_BYTES) {
                ObjectNames names = rendering.names();
                throw tooLarge(
                        input,
                        Reason.ObjectTooLarge,
                        ProblemObject.of("Secret", bootstrap ? names.bootstrapSecret() : names.provisioningSecret()),
                        UserDataSize.formatBytes(bytes) + ", the API server accepts "
                                + UserDataSize.formatBytes(UserDataSize.SECRET_BYTES) + ", largest: "
                                + largestFile(input, rendering, bootstrap),
                        "shorten it in " + input.profile().describe());
            }
        }
    }

    private static TenantMistake tooLarge(
            RenderInput input, Reason reason, ProblemObject object, String cause, String fix) {
        return new TenantMistake(new Problem(reason, object, "", cause, fix)
                .withCommand(input.profile().editCommand()));
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
        List<OperatingSystemConfig.File> files = config(rendering, bootstrap).files();
        List<FileSize> sizes = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            sizes.add(new FileSize(
                    rendering.fileSource(input.profile(), bootstrap, i),
                    files.get(i).path(),
                    files.get(i).data().getBytes(UTF_8).length));
        }
        return sizes.stream()
                .sorted(Comparator.comparingInt(FileSize::bytes).reversed())
                .limit(most)
                .toList();
    }

    private static String largestFile(RenderInput input, RenderedConfig rendering, boolean bootstrap) {
        return largestFiles(input, rendering, bootstrap, 1).stream()
                .map(file -> (file.field().isEmpty() ? file.path() : file.field() + " (" + file.path() + ")") + " "
                        + UserDataSize.formatBytes(file.bytes()))
                .findFirst()
                .orElse("no file");
    }

    private static OperatingSystemConfig.Config config(RenderedConfig rendering, boolean bootstrap) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        return bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig();
    }

    private static CompiledProfile.Part part(RenderInput input, boolean bootstrap) {
        CompiledProfile compiled = input.profile().compiled();
        return bootstrap ? compiled.bootstrap() : compiled.provisioning();
    }

    private static UserDataInput documentInput(RenderInput input, RenderedConfig rendering, boolean bootstrap) {
        MachineDeployment machineDeployment = input.machineDeployment();
        OperatingSystemConfig.Spec spec = rendering.revealed();
        boolean ownProfile =
                ProfileCompatibility.isOwn(input.profile().compiled().spec());
        String utility = ProfileCompatibility.utility(rendering.provider(), machineDeployment, ownProfile);
        ProfileCompatibility.requireUtility(
                spec.provisioningUtility(), input.profile().describe().toString(), utility, machineDeployment);
        return new UserDataInput(
                config(rendering, bootstrap),
                utility,
                spec.osName(),
                spec.cloudProvider(),
                machineDeployment.name(),
                rendering.provider().distUpgradeOnBoot(machineDeployment),
                bootstrap);
    }

    private static String document(RenderInput input, RenderedConfig rendering, UserDataInput document) {
        try {
            return UserDataGenerator.generateDocument(document);
        } catch (TenantMistake e) {
            throw new TenantMistake(e.findings().stream()
                    .map(finding -> aboutProfile(input, rendering, finding))
                    .toList());
        }
    }

    /** Locates a finding about a document in the profile, which its author can fix; a path in the OSC would not help them. */
    private static Problem aboutProfile(RenderInput input, RenderedConfig rendering, Problem finding) {
        Problem located = finding.withObject(input.profile().describe());
        String field = finding.field();
        boolean bootstrap = field.startsWith("spec.bootstrapConfig.");
        CompiledProfile.Part part = part(input, bootstrap);
        String prefix = part.path() + ".files[";
        if (!field.startsWith(prefix)) {
            return located;
        }
        int index = Integer.parseInt(field.substring(prefix.length(), field.indexOf(']')));
        if (rendering.composition() != null) {
            FileOrigin origin = rendering.origin(input.profile(), bootstrap, index);
            return finding.withObject(origin.object()).withField(origin.field());
        }
        return index < part.files().size()
                ? located.withField(part.files().get(index).label())
                : located;
    }
}
