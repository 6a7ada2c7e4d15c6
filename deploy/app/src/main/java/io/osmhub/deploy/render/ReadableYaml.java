package io.osmhub.deploy.render;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import java.util.HexFormat;

/** YAML for people: objects as kubectl prints them, and long texts as they are. */
public final class ReadableYaml {
    private static final HexFormat HEX = HexFormat.of();

    private ReadableYaml() {}

    /** An object that is given as JSON. */
    public static String of(String json) {
        try {
            return Str.text(SigsYaml.fromJson(Str.bytes(escaped(json))));
        } catch (CallFailure e) {
            throw new IllegalStateException("own JSON is not valid YAML", e);
        }
    }

    /** JSON's strings may hold characters that YAML takes for something else; escaped, both read the same. */
    private static String escaped(String json) {
        StringBuilder text = new StringBuilder(json.length() + 16);
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (isSpecial(c)) {
                text.append("\\u").append(HEX.toHexDigits(c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static boolean isSpecial(char c) {
        return c >= 0x7F && c < 0xA0 || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c >= 0xFFFE;
    }

    /**
     * A field whose text stands below it line by line, also where kubectl would write one long line with escapes because a line
     * ends in blanks.
     *
     * @param indent of the field
     */
    static String field(String key, String text, int indent) {
        if (text.isEmpty() || !text.chars().allMatch(c -> standsInBlock((char) c))) {
            return key + ": " + escaped(JsonWriter.quote(text)) + "\n";
        }
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        String margin = " ".repeat(indent + 2);
        StringBuilder yaml = new StringBuilder(text.length() * 2).append(key).append(": |");
        String begin = body.replace("\n", "");
        // A reader counts the blanks of the first line that is not empty, unless it is told how many are not the
        // text's.
        if (begin.startsWith(" ") || begin.startsWith("\t")) {
            yaml.append(2);
        }
        yaml.append(!text.endsWith("\n") ? "-" : body.isEmpty() || body.endsWith("\n") ? "+" : "")
                .append('\n');
        for (String line : body.split("\n", -1)) {
            yaml.append(line.isEmpty() ? "" : margin).append(line).append('\n');
        }
        return yaml.toString();
    }

    private static boolean standsInBlock(char c) {
        return c == '\n' || c == '\t' || (c >= ' ' && !isSpecial(c));
    }
}
