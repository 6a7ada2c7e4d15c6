package io.osmhub.deploy.render;

import io.osmhub.core.lint.DownloadInventory;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.render.WorkerSecrets.WorkerSecret;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.userdata.UserDataSize;
import io.osmhub.deploy.fleet.OutputDirectory.OutputFile;
import io.osmhub.deploy.fleet.ReadableYaml;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rendering as files: the stored object, and each Secret's payload and object. Created on demand. */
public final class RenderedFiles {
    private final RenderInput input;
    private final RenderedConfig rendering;
    private final WorkerSecrets secrets;
    private final UserDataSize bootstrapSize;

    RenderedFiles(RenderInput input, RenderedConfig rendering, WorkerSecrets secrets, UserDataSize bootstrapSize) {
        this.input = input;
        this.rendering = rendering;
        this.secrets = secrets;
        this.bootstrapSize = bootstrapSize;
    }

    /**
     * What the machine downloads.
     *
     * @param declared the list of downloads of a profile that has one; null for others
     */
    public DownloadInventory downloads(Function<OperatingSystemProfile.Spec, @Nullable String> declared) {
        String list = declared.apply(input.profile().compiled().spec());
        return DownloadInventory.of(
                input, list, new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open));
    }

    /** The selected files; empty if this rendering has none. */
    public List<OutputFile> select(RenderOutput output) {
        return switch (output) {
            case OSC -> List.of(osc());
            case BOOTSTRAP -> List.of(payload("bootstrap", secrets.bootstrap()));
            case PROVISIONING -> List.of(payload("provisioning", secrets.provisioning()));
            case KUBELET_BOOTSTRAP -> List.of(payload("kubelet-bootstrap", secrets.kubeletBootstrap()));
            case EDGE_SCRIPT ->
                secrets.edgeScript() == null ? List.of() : List.of(payload("edge-script", secrets.edgeScript()));
            case ALL -> {
                List<OutputFile> files = new ArrayList<>();
                files.add(osc());
                add(files, "bootstrap", secrets.bootstrap());
                add(files, "provisioning", secrets.provisioning());
                add(files, "kubelet-bootstrap", secrets.kubeletBootstrap());
                if (secrets.edgeScript() != null) {
                    add(files, "edge-script", secrets.edgeScript());
                }
                yield files;
            }
        };
    }

    /** All objects as one YAML stream with readable values. */
    public String stream() {
        return osc().text()
                + secrets.all().stream()
                        .map(secret -> "---\n" + ReadableYaml.of(secret.json(false)) + "stringData:\n  "
                                + ReadableYaml.field(
                                        secret.key(), secret.payload().reveal(), 2))
                        .collect(Collectors.joining());
    }

    private OutputFile osc() {
        return new OutputFile(
                "osc.yaml", ReadableYaml.of(OperatingSystemConfigWriter.object(rendering.stored())), false, "");
    }

    private OutputFile payload(String name, WorkerSecret secret) {
        String limit = secret == secrets.bootstrap() ? limit(bootstrapSize) : "";
        return new OutputFile(name + ".txt", secret.payload().reveal(), true, limit);
    }

    private void add(List<OutputFile> files, String name, WorkerSecret secret) {
        files.add(payload(name, secret));
        files.add(new OutputFile(name + "-secret.yaml", ReadableYaml.of(secret.json(true)), true, ""));
    }

    private static String limit(UserDataSize size) {
        UserDataSize.Limit limit = size.limit();
        return limit == null
                ? ""
                : size.describe() + ", " + Math.ceilDiv(size.bytes() * 100L, limit.bytes()) + " % of "
                        + UserDataSize.formatBytes(limit.bytes()) + " (" + limit.source() + ")";
    }

    /** Selectable outputs. */
    public enum RenderOutput {
        BOOTSTRAP("bootstrap"),
        PROVISIONING("provisioning"),
        OSC("osc"),
        KUBELET_BOOTSTRAP("kubelet-bootstrap"),
        EDGE_SCRIPT("edge-script"),
        ALL("all");

        private final String optionValue;

        RenderOutput(String word) {
            this.optionValue = word;
        }

        /** Value on the command line. */
        public String optionValue() {
            return optionValue;
        }

        public static List<String> optionValues() {
            return Arrays.stream(values()).map(RenderOutput::optionValue).toList();
        }
    }
}
