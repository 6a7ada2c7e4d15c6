package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.text;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import java.util.Map;

/**
 * Functions that ask the machine they run on. In a hub that is nobody's machine: there are no environment variables but those
 * given here, none in production, and no network.
 */
final class Surroundings {
    private static final String SIGNATURE = "func(string) string";

    private Surroundings() {}

    static void register(Registry registry, Map<String, String> variables) {
        Map<String, String> known = Map.copyOf(variables);
        registry.add(
                "env", SIGNATURE, (environment, arguments) -> Str.ofBytes(known.getOrDefault(bytes(arguments, 0), "")));
        registry.add(
                "expandenv",
                SIGNATURE,
                (environment, arguments) -> text(environment, expanded(bytes(arguments, 0), known)));
        registry.add("getHostByName", SIGNATURE, (environment, arguments) -> {
            if (UrlHosts.isIpAddress(bytes(arguments, 0))) {
                return arguments.getFirst();
            }
            throw new CallFailure("templates have no network, so no name can be looked up");
        });
    }

    /** Replaces {@code $name} and <code>${name}</code>; a dollar sign before anything else stays. */
    private static String expanded(String text, Map<String, String> variables) {
        StringBuilder result = new StringBuilder(text.length());
        int position = 0;
        while (position < text.length()) {
            char c = text.charAt(position);
            position++;
            if (c != '$' || position == text.length()) {
                result.append(c);
                continue;
            }
            if (text.charAt(position) != '{') {
                int end = nameEnd(text, position);
                result.append(end == position ? "$" : variables.getOrDefault(text.substring(position, end), ""));
                position = end;
                continue;
            }
            int close = text.indexOf('}', position + 1);
            // Without an end, only the two signs are dropped.
            if (close > 0) {
                result.append(variables.getOrDefault(text.substring(position + 1, close), ""));
            }
            position = close > 0 ? close + 1 : position + 1;
        }
        return result.toString();
    }

    private static int nameEnd(String text, int start) {
        char first = text.charAt(start);
        if ("*#$@!?-".indexOf(first) >= 0 || (first >= '0' && first <= '9')) {
            return start + 1;
        }
        int end = start;
        while (end < text.length() && isNameChar(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isNameChar(char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }
}
