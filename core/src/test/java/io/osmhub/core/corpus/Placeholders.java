package io.osmhub.core.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compares a stored OSC with its revealed form: they may differ only where the stored one has a placeholder. */
final class Placeholders {
    private static final Pattern ANY = Pattern.compile(Arrays.stream(CredentialPlaceholder.values())
            .map(placeholder -> Pattern.quote(placeholder.text()))
            .collect(Collectors.joining("|")));

    private static final String FILE_DATA = ".content.inline.data";

    private Placeholders() {}

    /** Where they differ otherwise, and how; empty when they do not. */
    static String difference(String path, JsonNode stored, JsonNode revealed) {
        if (stored.isTextual() && ANY.matcher(stored.textValue()).find()) {
            // The template of a file may have made something else of a credential, for example its hash.
            return path.endsWith(FILE_DATA) || covers(stored.textValue(), revealed)
                    ? ""
                    : path + ": not the same around the placeholder";
        }
        if (stored.isObject() && revealed.isObject() && stored.size() == revealed.size()) {
            for (Map.Entry<String, JsonNode> field : stored.properties()) {
                String difference =
                        difference(path + "." + field.getKey(), field.getValue(), revealed.path(field.getKey()));
                if (!difference.isEmpty()) {
                    return difference;
                }
            }
            return "";
        }
        if (stored.isArray() && revealed.isArray() && stored.size() == revealed.size()) {
            for (int i = 0; i < stored.size(); i++) {
                String difference = difference(path + "[" + i + "]", stored.get(i), revealed.get(i));
                if (!difference.isEmpty()) {
                    return difference;
                }
            }
            return "";
        }
        return stored.equals(revealed) ? "" : path + ": differs without a placeholder";
    }

    /** A placeholder may stand for any text, and alone for any value. */
    private static boolean covers(String stored, JsonNode revealed) {
        if (!revealed.isTextual()) {
            return ANY.matcher(stored).matches();
        }
        String text = revealed.textValue();
        String[] parts = ANY.split(stored, -1);
        int last = parts.length - 1;
        if (!text.startsWith(parts[0])) {
            return false;
        }
        int at = parts[0].length();
        for (int i = 1; i < last; i++) {
            int found = text.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return text.endsWith(parts[last]) && text.length() - parts[last].length() >= at;
    }
}
