package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;

import io.osmhub.core.golang.GoValue.GoBool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;

/** Slash-separated paths as text, without file access. Profiles are for Linux machines, so the {@code os} variants are equal. */
final class PathFunctions {
    private PathFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        both(registry, "base", PathFunctions::base);
        both(registry, "dir", path -> clean(path.substring(0, path.lastIndexOf('/') + 1)));
        both(registry, "clean", PathFunctions::clean);
        both(registry, "ext", PathFunctions::extension);
        for (String name : List.of("isAbs", "osIsAbs")) {
            registry.addCode(
                    name,
                    "func(string) bool",
                    (environment, arguments) -> GoBool.of(bytes(arguments, 0).startsWith("/")));
        }
    }

    private static void both(FunctionRegistry.Builder registry, String name, UnaryOperator<String> change) {
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
}
