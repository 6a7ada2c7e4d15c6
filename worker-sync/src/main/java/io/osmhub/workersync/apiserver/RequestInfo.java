package io.osmhub.workersync.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What a request concerns, read from its method and path as kube-apiserver reads them.
 *
 * @param group empty for the core group
 * @param resource plural name; empty for a non-resource path, such as {@code /version}
 * @param subresource empty for the object itself
 * @param namespace empty for all namespaces or a cluster-scoped kind
 * @param name empty if the request concerns several objects or creates one
 */
public record RequestInfo(Verb verb, String group, String resource, String subresource, String namespace, String name) {
    /**
     * Reads a request.
     *
     * @param path encoded, without the part before {@code /api}
     * @param query encoded; null if there is none
     */
    public static RequestInfo of(String method, String path, @Nullable String query) {
        Iterator<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).iterator();
        String root = next(parts);
        if (!root.equals("api") && !root.equals("apis")) {
            return new RequestInfo(verb(method, "/", query), "", "", "", "", "");
        }
        String group = root.equals("api") ? "" : next(parts);
        next(parts);
        String namespace = "";
        String resource = next(parts);
        String name = next(parts);
        String subresource = next(parts);
        if (resource.equals("namespaces") && !subresource.isEmpty() && isNamespaced(subresource)) {
            namespace = name;
            resource = subresource;
            name = next(parts);
            subresource = next(parts);
        }
        return new RequestInfo(verb(method, name, query), group, resource, subresource, namespace, name);
    }

    /** A namespace has these subresources; anything else after its name is a kind in it. */
    private static boolean isNamespaced(String part) {
        return !part.equals("status") && !part.equals("finalize");
    }

    private static String next(Iterator<String> parts) {
        return parts.hasNext() ? URLDecoder.decode(parts.next().replace("+", "%2B"), UTF_8) : "";
    }

    private static Verb verb(String method, String name, @Nullable String query) {
        return switch (method) {
            case "POST" -> Verb.CREATE;
            case "PUT" -> Verb.UPDATE;
            case "PATCH" -> Verb.PATCH;
            case "DELETE" -> Verb.DELETE;
            default ->
                ("&" + query + "&").contains("&watch=true&") ? Verb.WATCH : name.isEmpty() ? Verb.LIST : Verb.GET;
        };
    }

    /** The kind; null for a non-resource path, or a kind that the hub does not use. */
    public @Nullable Resource kind() {
        return Arrays.stream(Resource.values())
                .filter(kind -> kind.group().equals(group) && kind.plural().equals(resource))
                .findFirst()
                .orElse(null);
    }
}
