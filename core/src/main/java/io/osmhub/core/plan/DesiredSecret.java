package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.Sensitive;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Desired state of a Secret: mutable, without owner references.
 *
 * @param type {@code Opaque} when OSM leaves it out
 * @param data not base64-encoded
 */
public record DesiredSecret(
        String namespace,
        String name,
        String type,
        SortedMap<String, String> annotations,
        SortedMap<String, String> labels,
        SortedMap<String, Sensitive> data) {
    public DesiredSecret {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
    }

    /** The object to create. */
    public Sensitive json() {
        JsonWriter json = new JsonWriter();
        json.beginObject().field("apiVersion", "v1");
        data(json, data);
        json.field("kind", "Secret").key("metadata").beginObject();
        map(json, "annotations", annotations);
        map(json, "labels", labels);
        json.field("name", name).field("namespace", namespace).endObject();
        return new Sensitive(json.field("type", type).endObject().toString());
    }

    /** A merge patch from the found object to this one; the server rejects it if the object was changed meanwhile. */
    public Sensitive patch(StoredSecret found) {
        JsonWriter json = new JsonWriter().beginObject();
        json.key("data").beginObject();
        for (String key : found.digests().keySet()) {
            if (!data.containsKey(key)) {
                json.key(key).nullValue();
            }
        }
        data.forEach((key, value) -> json.field(key, base64(value)));
        json.endObject();
        metadata(json, annotations, labels, found.resourceVersion());
        return new Sensitive(json.endObject().toString());
    }

    /** A merge patch of annotations and labels alone. */
    static String metadataPatch(Map<String, String> annotations, Map<String, String> labels, String resourceVersion) {
        JsonWriter json = new JsonWriter().beginObject();
        metadata(json, annotations, labels, resourceVersion);
        return json.endObject().toString();
    }

    static void metadata(
            JsonWriter json, Map<String, String> annotations, Map<String, String> labels, String resourceVersion) {
        json.key("metadata").beginObject();
        map(json, "annotations", annotations);
        map(json, "labels", labels);
        json.field("resourceVersion", resourceVersion).endObject();
    }

    static void data(JsonWriter json, Map<String, Sensitive> data) {
        json.key("data").beginObject();
        data.forEach((key, value) -> json.field(key, base64(value)));
        json.endObject();
    }

    private static String base64(Sensitive value) {
        return Base64.getEncoder().encodeToString(value.reveal().getBytes(UTF_8));
    }

    private static void map(JsonWriter json, String key, Map<String, String> map) {
        if (!map.isEmpty()) {
            json.key(key).beginObject();
            new TreeMap<>(map).forEach(json::field);
            json.endObject();
        }
    }
}
