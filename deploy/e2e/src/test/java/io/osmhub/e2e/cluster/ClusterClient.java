package io.osmhub.e2e.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests to one API server as one user, in the API's own words: paths and JSON. It shares nothing with the hub's clients, so
 * a mistake there cannot hide itself here.
 */
public final class ClusterClient {
    private static final String NO_BODY = "";
    private static final String OWN_FIELDS = "e2e";

    private final String url;
    private final String token;
    private final HttpClient http;
    // "apiVersion kind" -> path with {namespace} and without the object's name
    private final Map<String, String> collections = new ConcurrentHashMap<>();

    ClusterClient(String url, HttpClient http, String token) {
        this.url = url;
        this.http = http;
        this.token = token;
    }

    /** @throws ApiFailure when it is not there, or not for this user */
    public JsonNode get(String path) {
        return request("GET", path, "", NO_BODY);
    }

    /** Empty when there is none. */
    public Optional<JsonNode> find(String path) {
        try {
            return Optional.of(get(path));
        } catch (ApiFailure e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether this user may read what is at a path. A new role counts only after a moment. */
    public boolean allowed(String path) {
        try {
            get(path);
            return true;
        } catch (ApiFailure e) {
            if (e.code() == 403) {
                return false;
            }
            throw e;
        }
    }

    public List<JsonNode> list(String path) {
        List<JsonNode> items = new ArrayList<>();
        get(path).path("items").forEach(items::add);
        return items;
    }

    public JsonNode create(JsonNode object) {
        return request("POST", collection(object), "application/json", object.toString());
    }

    /** Creates, without storing; the API server's defaults, validation and admission are applied. */
    public JsonNode dryRun(JsonNode object) {
        return request("POST", collection(object) + "?dryRun=All", "application/json", object.toString());
    }

    /** Replaces; the object carries the resourceVersion that it replaces. */
    public JsonNode replace(JsonNode object) {
        return request("PUT", path(object), "application/json", object.toString());
    }

    /** Creates or changes, as {@code kubectl apply --server-side --force-conflicts} does. */
    public JsonNode apply(JsonNode object) {
        return request(
                "PATCH",
                path(object) + "?force=true&fieldManager=" + OWN_FIELDS,
                "application/apply-patch+yaml",
                asYaml(object));
    }

    /**
     * The server reads this body as YAML, which ends a line where JSON does not. Only such characters are escaped: an escape of
     * half a surrogate pair, which JSON allows, is none in YAML.
     */
    private static String asYaml(JsonNode object) {
        String json = object.toString();
        StringBuilder yaml = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            boolean special = c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff;
            yaml.append(special ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return yaml.toString();
    }

    /** Applies all objects of a YAML text, in its order. */
    public void apply(String yaml) {
        Manifest.objects(yaml).forEach(this::apply);
    }

    /** Merges YAML or JSON into what is stored. */
    public JsonNode merge(String path, String patch) {
        return request(
                "PATCH",
                path + "?fieldManager=" + OWN_FIELDS,
                "application/merge-patch+json",
                Manifest.object(patch).toString());
    }

    /** Sends a body that is JSON already. */
    public JsonNode post(String path, String json) {
        return request("POST", path, "application/json", json);
    }

    /** Deletes; nothing happens when it is not there. */
    public void delete(String path) {
        try {
            request("DELETE", path, "", NO_BODY);
        } catch (ApiFailure e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    /** Answer of a path that is no resource, such as {@code /readyz}; the status code alone says whether it is good. */
    int status(String path) throws IOException {
        return send("GET", path, "", NO_BODY).statusCode();
    }

    /** Where an object is stored. */
    public String path(JsonNode object) {
        return collection(object) + "/" + Manifest.name(object);
    }

    private String collection(JsonNode object) {
        String version = object.path("apiVersion").asText();
        String kind = object.path("kind").asText();
        String known = collections.get(version + " " + kind);
        if (known == null) {
            discover(version);
            known = collections.get(version + " " + kind);
        }
        if (known == null) {
            throw new IllegalArgumentException("the API server knows no " + kind + " of " + version);
        }
        return known.replace("{namespace}", Manifest.namespace(object));
    }

    private void discover(String version) {
        String prefix = version.contains("/") ? "/apis/" + version : "/api/" + version;
        for (JsonNode resource : get(prefix).path("resources")) {
            String plural = resource.path("name").asText();
            if (!plural.contains("/")) {
                collections.put(
                        version + " " + resource.path("kind").asText(),
                        prefix + (resource.path("namespaced").asBoolean() ? "/namespaces/{namespace}/" : "/") + plural);
            }
        }
    }

    private JsonNode request(String method, String path, String contentType, String body) {
        HttpResponse<String> response;
        try {
            response = send(method, path, contentType, body);
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        }
        if (response.statusCode() >= 300) {
            throw new ApiFailure(
                    response.statusCode(),
                    method + " " + path + ": " + response.statusCode() + " " + message(response.body()));
        }
        return Manifest.json(response.body());
    }

    private static String message(String body) {
        return body.startsWith("{") ? Manifest.json(body).path("message").asText() : body;
    }

    private HttpResponse<String> send(String method, String path, String contentType, String body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** A copy of an object without what the API server added, to be created again elsewhere. */
    public static ObjectNode asWritten(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        copy.remove("status");
        ((ObjectNode) copy.path("metadata"))
                .remove(List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"));
        return copy;
    }
}
