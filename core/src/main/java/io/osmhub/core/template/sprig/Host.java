package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.wellknown.IpText;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What sprig reads from the machine it runs on. In the hub there is nothing to read: no variable is set and no name is
 * known, so that one tenant's template sees neither the hub's process nor its network.
 */
public final class Host {
    private static final String SPECIAL_NAMES = "*#$@!?-0123456789";

    static final UnaryOperator<String> NO_VARIABLES = name -> "";

    private Host() {}

    /** The functions; {@code variables} gives the value of a variable as bytes, "" for one that is not set. */
    static void addTo(Registry registry, UnaryOperator<String> variables) {
        registry.add("env", "func(string) string", (env, args) -> Str.ofBytes(variables.apply(text(args))));
        registry.add("expandenv", "func(string) string", (env, args) -> expand(env, text(args), variables));
        registry.add("getHostByName", "func(string) string", (env, args) -> address(text(args)));
    }

    private static String text(List<Value> arguments) {
        return ((Str) arguments.getFirst()).bytes();
    }

    /** Replaces {@code $name} and {@code ${name}}. A brace that is empty or never closed vanishes; a lone dollar stays. */
    private static Value expand(Environment environment, String text, UnaryOperator<String> variables) {
        environment.charge(text.length(), text.length());
        StringBuilder expanded = new StringBuilder();
        // Known once, because behind it the search for a brace's end would read all the rest each time.
        int lastClose = text.lastIndexOf('}');
        int at = 0;
        for (int dollar = text.indexOf('$');
                dollar >= 0 && dollar < text.length() - 1;
                dollar = text.indexOf('$', at)) {
            expanded.append(text, at, dollar);
            int start = dollar + 1;
            char first = text.charAt(start);
            if (first == '{') {
                int close = start < lastClose ? text.indexOf('}', start) : -1;
                String name = close < 0 ? "" : text.substring(start + 1, close);
                expanded.append(name.isEmpty() ? "" : variables.apply(name));
                at = (close < 0 ? start : close) + 1;
            } else if (SPECIAL_NAMES.indexOf(first) >= 0) {
                expanded.append(variables.apply(String.valueOf(first)));
                at = start + 1;
            } else {
                int end = endOfName(text, start);
                expanded.append(end == start ? "$" : variables.apply(text.substring(start, end)));
                at = end;
            }
        }
        expanded.append(text, at, text.length());
        environment.charge(0, expanded.length());
        return Str.ofBytes(expanded.toString());
    }

    private static int endOfName(String text, int start) {
        int end = start;
        while (end < text.length() && isNamePart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isNamePart(char c) {
        return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    /** An address stands for itself; anything else would need a name server. */
    private static Value address(String name) throws CallFailure {
        int zone = name.indexOf('%');
        boolean zoned = zone > 0 && zone < name.length() - 1;
        String bare = zoned ? name.substring(0, zone) : name;
        byte[] bytes = IpText.parseShort(bare);
        if (bytes == null || zoned && bare.indexOf(':') < 0) {
            throw new CallFailure("host names cannot be looked up from a template");
        }
        return Str.ofBytes(name);
    }
}
