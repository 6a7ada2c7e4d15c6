package io.osmhub.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A rendered document for display: each file that it writes to a machine has a heading and its decoded text. */
final class ReadableText {
    /** The placeholder of a redacted credential. */
    static final Pattern REDACTED = Pattern.compile("<redacted:([a-z-]{1,40})>");

    private static final String CLOUD_CONFIG = "#cloud-config";
    private static final String FILES = "write_files:";
    private static final String BASE64 = "data:;base64,";
    private static final String ESCAPED = "data:,";
    private static final String INDENT = "  ";

    /** Of a heading, the text is the path; notes are added by the console. */
    enum LineKind {
        TEXT,
        FILE,
        NOTE
    }

    /**
     * One line.
     *
     * @param detail of a file: mode, size and encoding
     */
    record Line(String text, LineKind kind, String detail) {
        static Line of(String text) {
            return new Line(text, LineKind.TEXT, "");
        }
    }

    private ReadableText() {}

    /** Unknown formats, and content that is not text, stay as they are. */
    static List<Line> lines(String document) {
        boolean cloudConfig = document.startsWith(CLOUD_CONFIG);
        if (cloudConfig || document.startsWith("{\"ignition\":")) {
            try {
                JsonNode root =
                        SourceDocument.json(YamlDocumentReader.read("user-data", document, Reason.ProfileFileInvalid)
                                .getFirst()
                                .root());
                return cloudConfig ? ofCloudConfig(document, root) : ofIgnition(root);
            } catch (TenantMistake unreadable) {
                // Shown as it is: previews also show documents that a machine would reject.
            }
        }
        return document.lines().map(Line::of).toList();
    }

    /** The same as plain lines, for comparisons. */
    static List<String> plainLines(String document) {
        return lines(document).stream()
                .map(line -> line.detail().isEmpty() ? line.text() : line.text() + " " + line.detail())
                .toList();
    }

    private static List<Line> ofCloudConfig(String document, JsonNode root) {
        List<Line> lines = new ArrayList<>();
        boolean inFiles = false;
        for (String line : document.lines().toList()) {
            inFiles &= line.isEmpty() || line.charAt(0) == ' ' || line.charAt(0) == '-';
            if (!inFiles) {
                lines.add(Line.of(line));
            }
            if (line.equals(FILES)) {
                inFiles = true;
                for (JsonNode file : root.path("write_files")) {
                    String content = file.path("content").asText();
                    boolean encoded = file.path("encoding").asText().equals("b64");
                    Optional<String> decoded = encoded ? decoded(content) : Optional.of(content);
                    add(
                            lines,
                            file.path("path").asText(),
                            file.path("permissions").asText(),
                            decoded.orElse(content),
                            encoded && decoded.isPresent() ? "decoded from base64" : encoded ? "base64, not text" : "");
                }
            }
        }
        return lines;
    }

    private static List<Line> ofIgnition(JsonNode root) {
        List<Line> lines = new ArrayList<>();
        for (JsonNode file : root.path("storage").path("files")) {
            String mode = String.format(Locale.ROOT, "%04o", file.path("mode").asInt());
            String source = file.path("contents").path("source").asText();
            Optional<String> decoded = source.startsWith(BASE64)
                    ? decoded(source.substring(BASE64.length()))
                    : source.startsWith(ESCAPED) ? unescaped(source.substring(ESCAPED.length())) : Optional.empty();
            add(lines, file.path("path").asText(), mode, decoded.orElse(source), decoded.isPresent() ? "" : "not text");
            if (decoded.isPresent() && file.path("contents") instanceof ObjectNode contents) {
                contents.put("source", "(shown above)");
            }
        }
        for (JsonNode unit : root.path("systemd").path("units")) {
            addUnit(lines, unit, unit.path("name").asText());
            for (JsonNode dropIn : unit.path("dropins")) {
                addUnit(
                        lines,
                        dropIn,
                        unit.path("name").asText() + ".d/" + dropIn.path("name").asText());
            }
        }
        lines.add(new Line("the rest of the document", LineKind.NOTE, ""));
        root.toPrettyString().lines().map(Line::of).forEach(lines::add);
        return lines;
    }

    private static void addUnit(List<Line> lines, JsonNode unit, String name) {
        if (unit instanceof ObjectNode object && unit.has("contents")) {
            add(lines, name, "systemd unit", unit.path("contents").asText(), "");
            object.put("contents", "(shown above)");
        }
    }

    private static void add(List<Line> lines, String path, String mode, String content, String encoding) {
        // The size of a text with a placeholder is not that of the file.
        String size = REDACTED.matcher(content).find()
                ? ""
                : NumberFormats.number(content.getBytes(StandardCharsets.UTF_8).length) + " bytes";
        List<String> detail = new ArrayList<>(List.of(mode, size, encoding));
        detail.removeIf(String::isEmpty);
        lines.add(new Line(path, LineKind.FILE, String.join(", ", detail)));
        content.lines().map(line -> Line.of(INDENT + line)).forEach(lines::add);
    }

    /** Empty for content that is not base64 of a text. */
    private static Optional<String> decoded(String base64) {
        try {
            return text(Base64.getMimeDecoder().decode(base64));
        } catch (IllegalArgumentException notEncoded) {
            return Optional.empty();
        }
    }

    private static Optional<String> unescaped(String escaped) {
        try {
            // A plus sign stands for itself in a data URL.
            byte[] bytes = URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                    .getBytes(StandardCharsets.ISO_8859_1);
            return text(bytes);
        } catch (IllegalArgumentException notEscaped) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\u0000') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }
}
