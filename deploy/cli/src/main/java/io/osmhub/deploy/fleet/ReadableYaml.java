package io.osmhub.deploy.fleet;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.HexFormat;

/** YAML for users: objects as kubectl prints them, and long texts as block scalars. */
public final class ReadableYaml {
    private static final HexFormat HEX = HexFormat.of();

    private ReadableYaml() {}

    /** Converts a JSON object. */
    public static String of(String json) {
        try {
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(escaped(json))));
        } catch (GoCallException e) {
            throw new IllegalStateException("own JSON is not valid YAML", e);
        }
    }

    /** Escapes characters of JSON strings that YAML interprets differently; both read the same. */
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
     * A field as a block scalar, even where kubectl would write one long escaped line because of trailing blanks.
     *
     * @param indent of the field
     */
    public static String field(String key, String text, int indent) {
        if (text.isEmpty() || !text.chars().allMatch(c -> standsInBlock((char) c))) {
            return key + ": " + escaped(JsonWriter.quote(text)) + "\n";
        }
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        String margin = " ".repeat(indent + 2);
        StringBuilder yaml = new StringBuilder(text.length() * 2).append(key).append(": |");
        String begin = body.replace("\n", "");
        // Leading blanks require an indentation indicator: readers infer the indentation from the first non-empty line.
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
