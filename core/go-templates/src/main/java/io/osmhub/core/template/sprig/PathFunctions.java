package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.map;
import static io.osmhub.core.template.sprig.SprigArguments.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.url.GoUrl;
import io.osmhub.core.template.sprig.SprigFunctions.FunctionRegistry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** URLs, and slash-separated paths as text, without file access. Profiles are for Linux machines, so the {@code os} variants are equal. */
final class PathFunctions {
    private PathFunctions() {}

    static void addTo(FunctionRegistry registry) {
        both(registry, "base", PathFunctions::base);
        both(registry, "dir", path -> clean(path.substring(0, path.lastIndexOf('/') + 1)));
        both(registry, "clean", PathFunctions::clean);
        both(registry, "ext", PathFunctions::extension);
        for (String name : List.of("isAbs", "osIsAbs")) {
            registry.add(
                    name,
                    "func(string) bool",
                    (environment, arguments) -> GoBool.of(bytes(arguments, 0).startsWith("/")));
        }
        registry.add("urlParse", "func(string) map[string]interface {}", PathFunctions::parse);
        registry.add("urlJoin", "func(map[string]interface {}) string", PathFunctions::join);
    }

    private static void both(FunctionRegistry registry, String name, UnaryOperator<String> change) {
        StringFunctions.ofOne(registry, name, change);
        StringFunctions.ofOne(registry, "os" + Character.toUpperCase(name.charAt(0)) + name.substring(1), change);
    }

    private static String base(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        if (end == 0) {
            return path.isEmpty() ? "." : "/";
        }
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    }

    private static String extension(String path) {
        int dot = path.lastIndexOf('.');
        return dot > path.lastIndexOf('/') ? path.substring(dot) : "";
    }

    /** The shortest equivalent path; never empty. */
    private static String clean(String path) {
        boolean absolute = path.startsWith("/");
        Deque<String> kept = new ArrayDeque<>();
        for (String part : path.split("/", -1)) {
            boolean up = part.equals("..");
            if (up && !kept.isEmpty() && !kept.getLast().equals("..")) {
                kept.removeLast();
            } else if (up ? !absolute : !part.isEmpty() && !part.equals(".")) {
                kept.addLast(part);
            }
        }
        String joined = String.join("/", kept);
        return absolute ? "/" + joined : joined.isEmpty() ? "." : joined;
    }

    private static GoValue parse(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        SprigArguments.chargeText(environment, 4L * bytes(arguments, 0).length());
        GoUrl url;
        try {
            url = GoUrl.parse(bytes(arguments, 0));
        } catch (GoCallException failure) {
            throw new GoCallException("unable to parse url: " + failure.text());
        }
        SprigArguments.chargeSlots(environment, 16);
        Map<GoValue, GoValue> parts = new HashMap<>();
        put(parts, "scheme", url.scheme());
        put(parts, "host", url.host());
        put(parts, "hostname", url.hostname());
        put(parts, "path", url.path());
        put(parts, "query", url.query());
        put(parts, "opaque", url.opaque());
        put(parts, "fragment", url.fragment());
        put(parts, "userinfo", url.user() == null ? "" : url.user().toString());
        return GoMap.of(parts);
    }

    private static void put(Map<GoValue, GoValue> parts, String key, String part) {
        parts.put(GoString.ofBytes(key), GoString.ofBytes(part));
    }

    private static GoValue join(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        GoMap parts = map(arguments, 0);
        // In this order, since the first of two non-strings is reported.
        String scheme = part(parts, "scheme");
        String host = part(parts, "host");
        String path = part(parts, "path");
        String query = part(parts, "query");
        String opaque = part(parts, "opaque");
        String fragment = part(parts, "fragment");
        GoUrl url = new GoUrl(scheme, opaque, user(part(parts, "userinfo")), host, path, query, fragment);
        return text(environment, url.toString());
    }

    // Parsed as part of a URL, so that a slash ends it.
    private static GoUrl.@Nullable User user(String userinfo) throws GoCallException {
        if (userinfo.isEmpty()) {
            return null;
        }
        try {
            return GoUrl.parse("proto://" + userinfo + "@host").user();
        } catch (GoCallException failure) {
            throw new GoCallException("unable to parse userinfo in dict: " + failure.text());
        }
    }

    private static String part(GoMap parts, String key) throws GoCallException {
        GoValue value = parts.elements().get(GoString.ofBytes(key));
        if (value == null) {
            return "";
        }
        if (value instanceof GoString text) {
            return text.bytes();
        }
        if (value instanceof GoNil) {
            throw new GoCallException("runtime error: invalid memory address or nil pointer dereference");
        }
        throw new GoCallException("unable to parse " + key + " key, must be of type string, but "
                + value.kind().goName() + " found");
    }
}
