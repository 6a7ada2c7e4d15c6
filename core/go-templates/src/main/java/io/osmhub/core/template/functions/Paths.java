package io.osmhub.core.template.functions;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;

/** Slash-separated paths as text, without file access. Profiles are for Linux machines, so the {@code os} variants are equal. */
final class Paths {
    private Paths() {}

    static void addTo(FunctionRegistry.Builder functions) {
        add(functions, "base", "osBase", Paths::base);
        add(functions, "dir", "osDir", path -> clean(path.substring(0, path.lastIndexOf('/') + 1)));
        add(functions, "clean", "osClean", Paths::clean);
        add(functions, "ext", "osExt", Paths::extension);
        functions.test("isAbs", path -> path.startsWith("/"));
        functions.test("osIsAbs", path -> path.startsWith("/"));
    }

    private static void add(
            FunctionRegistry.Builder functions, String name, String osName, UnaryOperator<String> change) {
        functions.text(name, change);
        functions.text(osName, change);
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
