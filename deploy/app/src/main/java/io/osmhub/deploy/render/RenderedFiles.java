package io.osmhub.deploy.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.core.osc.ConfigWriter;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.UserDataLimit;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.render.WorkerSecrets.WorkerSecret;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rendering as files: the stored object, and of each Secret what is in it and the object itself. */
public record RenderedFiles(List<OutputFile> files, String stream) {
    public RenderedFiles {
        files = List.copyOf(files);
    }

    @Override
    public String toString() {
        return "RenderedFiles" + files;
    }

    /** @param userDataLimit of the tenant's settings; null for that of the provider */
    static RenderedFiles of(Rendering rendering, WorkerSecrets secrets, @Nullable Integer userDataLimit) {
        String provider = rendering.stored().spec().cloudProvider();
        String osc = yaml(ConfigWriter.object(rendering.stored()));
        List<OutputFile> files = new ArrayList<>();
        files.add(new OutputFile(Output.OSC.file(), osc, false, ""));
        add(files, "bootstrap", secrets.bootstrap(), limit(secrets.bootstrap(), provider, userDataLimit));
        add(files, "provisioning", secrets.provisioning(), "");
        add(files, "kubelet-bootstrap", secrets.kubeletBootstrap(), "");
        if (secrets.edgeScript() != null) {
            add(files, "edge-script", secrets.edgeScript(), "");
        }
        String stream = osc
                + secrets.all().stream()
                        .map(secret -> "---\n" + yaml(secret.readableJson()))
                        .collect(Collectors.joining());
        return new RenderedFiles(files, stream);
    }

    private static void add(List<OutputFile> files, String name, WorkerSecret secret, String limit) {
        files.add(new OutputFile(name + ".txt", secret.payload().reveal(), true, limit));
        files.add(new OutputFile(name + "-secret.yaml", yaml(secret.json()), true, ""));
    }

    private static String limit(WorkerSecret bootstrap, String provider, @Nullable Integer own) {
        OptionalInt limit = own == null ? UserDataLimit.of(provider) : OptionalInt.of(own);
        if (limit.isEmpty()) {
            return "";
        }
        long bytes = bootstrap.payload().reveal().getBytes(UTF_8).length;
        return Math.ceilDiv(bytes * 100, limit.getAsInt()) + " % of " + bytes(limit.getAsInt()) + " ("
                + (own == null ? provider : "provisioning.userDataLimitBytes") + ")";
    }

    /** {@code 16,384 B}. */
    public static String bytes(long count) {
        StringBuilder text = new StringBuilder(Long.toString(count));
        for (int i = text.length() - 3; i > 0; i -= 3) {
            text.insert(i, ',');
        }
        return text.append(" B").toString();
    }

    /** What was asked for; null when this rendering has no such thing. */
    public @Nullable List<OutputFile> select(Output output) {
        if (output == Output.ALL) {
            return files;
        }
        List<OutputFile> one =
                files.stream().filter(file -> file.name().equals(output.file())).toList();
        return one.isEmpty() ? null : one;
    }

    private static String yaml(String json) {
        try {
            return Str.text(SigsYaml.fromJson(Str.bytes(escapedForYaml(json))));
        } catch (CallFailure e) {
            throw new IllegalStateException("own JSON is no YAML", e);
        }
    }

    /** JSON allows a few characters in its strings that YAML takes for something else; escaped, both read the same. */
    private static String escapedForYaml(String json) {
        StringBuilder text = new StringBuilder(json.length() + 16);
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c >= 0x7F && c < 0xA0 || c == 0xFEFF || c >= 0xFFFE) {
                text.append("\\u").append(String.format("%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
