package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.wellknown.IpAddressFormat;
import io.osmhub.core.template.sprig.SprigFunctions.FunctionRegistry;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * sprig's functions that read the host. In the hub no variable is set and no name resolves, so that a tenant's template cannot
 * access the hub's process or network.
 */
public final class HostFunctions {
    private static final String SPECIAL_NAMES = "*#$@!?-0123456789";

    static final UnaryOperator<String> NO_VARIABLES = name -> "";

    private HostFunctions() {}

    /** Adds the functions; {@code variables} returns the value of a variable as bytes, "" if not set. */
    static void addTo(FunctionRegistry registry, UnaryOperator<String> variables) {
        registry.add("env", "func(string) string", (env, args) -> GoString.ofBytes(variables.apply(text(args))));
        registry.add("expandenv", "func(string) string", (env, args) -> expand(env, text(args), variables));
        registry.add("getHostByName", "func(string) string", (env, args) -> address(text(args)));
    }

    private static String text(List<GoValue> arguments) {
        return ((GoString) arguments.getFirst()).bytes();
    }

    /** Replaces {@code $name} and {@code ${name}}. An empty or unclosed brace is removed; a single dollar stays. */
    private static GoValue expand(ExecutionEnvironment environment, String text, UnaryOperator<String> variables) {
        environment.charge(text.length(), text.length());
        StringBuilder expanded = new StringBuilder();
        // Computed once, because otherwise the search for the end of a brace would read the rest each time.
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
        return GoString.ofBytes(expanded.toString());
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

    /** Returns an address unchanged; anything else would need a name server. */
    private static GoValue address(String name) throws GoCallException {
        int zone = name.indexOf('%');
        boolean zoned = zone > 0 && zone < name.length() - 1;
        String bare = zoned ? name.substring(0, zone) : name;
        byte[] bytes = IpAddressFormat.parseShort(bare);
        if (bytes == null || zoned && bare.indexOf(':') < 0) {
            throw new GoCallException("host names cannot be looked up from a template");
        }
        return GoString.ofBytes(name);
    }
}
