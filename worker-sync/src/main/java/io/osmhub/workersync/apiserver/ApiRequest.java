package io.osmhub.workersync.apiserver;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One request to an API server.
 *
 * @param namespace empty for all namespaces or a cluster-scoped kind
 * @param name empty if the request concerns several objects or creates one
 * @param subresource for example {@code status}; empty for the object itself
 * @param contentType of the body; empty without a body
 * @param body JSON; may contain credentials, so it is never printed
 */
public record ApiRequest(
        Verb verb,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        SortedMap<String, String> query,
        String contentType,
        @Nullable String body) {
    public static final String JSON = "application/json";
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String JSON_PATCH = "application/json-patch+json";
    public static final String APPLY_PATCH = "application/apply-patch+yaml";
    /** Field manager of all the hub's writes. */
    public static final String FIELD_MANAGER = "osm-hub";

    public ApiRequest {
        query = Collections.unmodifiableSortedMap(new TreeMap<>(query));
    }

    public static ApiRequest get(Resource resource, String namespace, String name) {
        return new ApiRequest(Verb.GET, resource, namespace, name, "", new TreeMap<>(), "", null);
    }

    public static ApiRequest list(Resource resource, String namespace, Map<String, String> query) {
        return new ApiRequest(Verb.LIST, resource, namespace, "", "", new TreeMap<>(query), "", null);
    }

    public static ApiRequest watch(Resource resource, String namespace, Map<String, String> query) {
        SortedMap<String, String> all = new TreeMap<>(query);
        all.put("watch", "true");
        return new ApiRequest(Verb.WATCH, resource, namespace, "", "", all, "", null);
    }

    public static ApiRequest create(Resource resource, String namespace, String body) {
        return new ApiRequest(Verb.CREATE, resource, namespace, "", "", hubAsFieldManager(), JSON, body);
    }

    public static ApiRequest update(Resource resource, String namespace, String name, String body) {
        return new ApiRequest(Verb.UPDATE, resource, namespace, name, "", hubAsFieldManager(), JSON, body);
    }

    /** @param contentType one of the patch types above */
    public static ApiRequest patch(Resource resource, String namespace, String name, String contentType, String body) {
        return new ApiRequest(Verb.PATCH, resource, namespace, name, "", hubAsFieldManager(), contentType, body);
    }

    /** Creates the object, or sets these fields of it, also those of other field managers. */
    public static ApiRequest apply(Resource resource, String namespace, String name, String body) {
        return apply(resource, namespace, name, FIELD_MANAGER, true, body);
    }

    /**
     * Creates or changes a cluster-scoped object by server-side apply.
     *
     * @param force takes fields from other managers, which is a conflict otherwise
     */
    public static ApiRequest apply(Resource resource, String name, String fieldManager, boolean force, String body) {
        return apply(resource, "", name, fieldManager, force, body);
    }

    private static ApiRequest apply(
            Resource resource, String namespace, String name, String fieldManager, boolean force, String body) {
        SortedMap<String, String> query = new TreeMap<>(Map.of("fieldManager", fieldManager));
        if (force) {
            query.put("force", "true");
        }
        return new ApiRequest(Verb.PATCH, resource, namespace, name, "", query, APPLY_PATCH, body);
    }

    /** Deletes an object only if its UID matches. {@code resourceVersion} null: regardless of its version. */
    public static ApiRequest delete(
            Resource resource, String namespace, String name, String uid, @Nullable String resourceVersion) {
        String preconditions = "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"" + uid
                + "\"" + (resourceVersion == null ? "" : ",\"resourceVersion\":\"" + resourceVersion + "\"") + "}}";
        return new ApiRequest(Verb.DELETE, resource, namespace, name, "", new TreeMap<>(), JSON, preconditions);
    }

    /** The same request for a subresource. */
    public ApiRequest withSubresource(String otherSubresource) {
        return new ApiRequest(verb, resource, namespace, name, otherSubresource, query, contentType, body);
    }

    /** The same write, which the API server only checks. */
    public ApiRequest asDryRun() {
        SortedMap<String, String> all = new TreeMap<>(query);
        all.put("dryRun", "All");
        return new ApiRequest(verb, resource, namespace, name, subresource, all, contentType, body);
    }

    /** The same write by another field manager. Unchanged if it has none, or one that is not the hub's default. */
    public ApiRequest withFieldManager(String fieldManager) {
        if (!FIELD_MANAGER.equals(query.get("fieldManager"))) {
            return this;
        }
        SortedMap<String, String> all = new TreeMap<>(query);
        all.put("fieldManager", fieldManager);
        return new ApiRequest(verb, resource, namespace, name, subresource, all, contentType, body);
    }

    public boolean isDryRun() {
        return query.containsKey("dryRun");
    }

    /** Encoded path and query. */
    public String uri() {
        String path = (name.isEmpty() ? resource.path(namespace) : resource.path(namespace, name))
                + (subresource.isEmpty() ? "" : "/" + subresource);
        if (query.isEmpty()) {
            return path;
        }
        return path + "?"
                + query.entrySet().stream()
                        .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                        .collect(Collectors.joining("&"));
    }

    private static SortedMap<String, String> hubAsFieldManager() {
        return new TreeMap<>(Map.of("fieldManager", FIELD_MANAGER));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Omits the body. */
    @Override
    public String toString() {
        return verb.wireName() + " " + resource.plural() + (subresource.isEmpty() ? "" : "/" + subresource)
                + (name.isEmpty() ? "" : " " + name) + (namespace.isEmpty() ? "" : " in " + namespace);
    }
}
