package io.osmhub.sim.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A path below {@code /api/v1} or {@code /apis/group/version}, taken apart. Parts that it does not have are empty. */
record ApiPath(String group, String version, String namespace, String plural, String name, String subresource) {
    /** The parts of a path; empty when it names no resource. */
    static Optional<ApiPath> parse(String path) {
        List<String> parts = Arrays.stream(path.split("/"))
                .filter(part -> !part.isEmpty())
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
        if (parts.size() >= 3 && parts.get(0).equals("api")) {
            return parse("", parts.get(1), parts.subList(2, parts.size()));
        }
        if (parts.size() >= 4 && parts.get(0).equals("apis")) {
            return parse(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
        }
        return Optional.empty();
    }

    private static Optional<ApiPath> parse(String group, String version, List<String> rest) {
        // /namespaces/x, /namespaces/x/status and /namespaces/x/finalize are about the namespace itself.
        boolean within = rest.get(0).equals("namespaces")
                && rest.size() >= 3
                && !(group.isEmpty() && rest.size() == 3 && isPartOfNamespace(rest.get(2)));
        String namespace = within ? rest.get(1) : "";
        List<String> own = within ? rest.subList(2, rest.size()) : rest;
        if (own.size() > 3) {
            return Optional.empty();
        }
        return Optional.of(new ApiPath(group, version, namespace, own.get(0), at(own, 1), at(own, 2)));
    }

    private static boolean isPartOfNamespace(String word) {
        return word.equals("status") || word.equals("finalize");
    }

    private static String at(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }
}
