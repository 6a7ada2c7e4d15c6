package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.osmhub.deploy.profiles.matrix.MachineDocument.Phase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads documents with other code than what wrote them, as cloud-init and Ignition do. Throws {@link IllegalArgumentException} at what
 * they would not read.
 */
final class DocumentReader {
    private static final String UNITS = "/etc/systemd/system/";
    private static final ObjectMapper JSON = new ObjectMapper();
    // Its reader is a translation of PyYAML, which is cloud-init's.
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    private DocumentReader() {}

    static MachineDocument read(ProfileCombination point, Phase phase, String utility, String text) {
        String named = MachineDocument.withMachineName(text);
        boolean ignition = utility.equals("ignition");
        if (!ignition && !named.startsWith("#cloud-config\n")) {
            throw new IllegalArgumentException("does not begin with #cloud-config");
        }
        JsonNode root = tree(ignition ? JSON : YAML, named);
        List<MachineFile> files = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        if (ignition) {
            ignition(root, files);
        } else {
            cloudInit(root, files, commands);
        }
        return new MachineDocument(point, phase, utility, named, files, commands);
    }

    private static JsonNode tree(ObjectMapper reader, String text) {
        try {
            return reader.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void cloudInit(JsonNode root, List<MachineFile> files, List<String> commands) {
        for (JsonNode file : root.path("write_files")) {
            String permissions = file.path("permissions").asText("0644");
            files.add(new MachineFile(
                    file.path("path").asText(),
                    Integer.parseInt(permissions, 8),
                    decoded(file.path("content").asText(), file.path("encoding").asText())));
        }
        for (JsonNode unit : root.path("coreos").path("units")) {
            unit(unit, "content", "drop_ins", "content", files);
        }
        for (String module : List.of("bootcmd", "runcmd")) {
            root.path(module)
                    .forEach(command -> commands.add(command.isTextual() ? command.asText() : command.toString()));
        }
    }

    private static void ignition(JsonNode root, List<MachineFile> files) {
        for (JsonNode file : root.path("storage").path("files")) {
            files.add(new MachineFile(
                    file.path("path").asText(),
                    file.path("mode").asInt(),
                    dataUrl(file.path("contents").path("source").asText())));
        }
        for (JsonNode unit : root.path("systemd").path("units")) {
            unit(unit, "contents", "dropins", "contents", files);
        }
    }

    private static void unit(
            JsonNode unit, String content, String dropIns, String dropInContent, List<MachineFile> files) {
        String path = UNITS + unit.path("name").asText();
        if (unit.hasNonNull(content)) {
            files.add(new MachineFile(path, 0644, unit.path(content).asText()));
        }
        for (JsonNode dropIn : unit.path(dropIns)) {
            files.add(new MachineFile(
                    path + ".d/" + dropIn.path("name").asText(),
                    0644,
                    dropIn.path(dropInContent).asText()));
        }
    }

    private static String decoded(String content, String encoding) {
        return switch (encoding) {
            case "" -> content;
            case "b64", "base64" -> new String(Base64.getMimeDecoder().decode(content), UTF_8);
            case "gz+b64", "gzip+base64" -> gunzip(Base64.getMimeDecoder().decode(content));
            default -> throw new IllegalArgumentException("encoding " + encoding);
        };
    }

    private static String gunzip(byte[] bytes) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String dataUrl(String url) {
        int comma = url.indexOf(',');
        if (!url.startsWith("data:") || comma < 0) {
            throw new IllegalArgumentException("not a data URL: " + url);
        }
        String data = URLDecoder.decode(url.substring(comma + 1).replace("+", "%2B"), UTF_8);
        return url.substring(0, comma).endsWith(";base64")
                ? new String(Base64.getDecoder().decode(data), UTF_8)
                : data;
    }
}
