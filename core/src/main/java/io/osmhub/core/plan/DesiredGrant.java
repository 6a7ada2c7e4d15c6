package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.emit.json.JsonWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Desired state of a ServiceAccount, Role or RoleBinding of {@code cloud-init-settings}.
 *
 * @param fields as those of {@link StoredGrant}
 */
public record DesiredGrant(
        GrantKind kind, String name, SortedMap<String, String> annotations, SortedMap<String, String> fields) {
    private static final String ROLE_REF = "roleRef";

    public DesiredGrant {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /**
     * The object of one kind for one MachineDeployment; all three share one name.
     *
     * @param secrets names of those that its machines fetch
     */
    static DesiredGrant of(GrantKind kind, String name, SortedMap<String, String> annotations, List<String> secrets) {
        SortedMap<String, String> fields = new TreeMap<>();
        switch (kind) {
            case ACCOUNT -> fields.put("automountServiceAccountToken", "false");
            case ROLE -> {
                JsonWriter rules = new JsonWriter();
                rules.beginArray().beginObject();
                list(rules, "apiGroups", List.of(""));
                list(rules, "resourceNames", secrets);
                list(rules, "resources", List.of("secrets"));
                list(rules, "verbs", List.of("get"));
                fields.put("rules", rules.endObject().endArray().toString());
            }
            case BINDING -> {
                JsonWriter role = new JsonWriter();
                role.beginObject()
                        .field("apiGroup", "rbac.authorization.k8s.io")
                        .field("kind", "Role");
                fields.put(ROLE_REF, role.field("name", name).endObject().toString());
                JsonWriter subjects = new JsonWriter();
                subjects.beginArray()
                        .beginObject()
                        .field("kind", "ServiceAccount")
                        .field("name", name);
                subjects.field("namespace", ObjectNames.SETTINGS_NAMESPACE).endObject();
                fields.put("subjects", subjects.endArray().toString());
            }
        }
        return new DesiredGrant(kind, name, annotations, fields);
    }

    private static void list(JsonWriter json, String key, List<String> texts) {
        json.key(key).beginArray();
        texts.forEach(json::value);
        json.endArray();
    }

    /** The role reference of a binding is immutable. */
    boolean isReplacementOf(StoredGrant found) {
        String role = fields.get(ROLE_REF);
        return role != null && !role.equals(found.fields().get(ROLE_REF));
    }

    /** The object to create. */
    public String json() {
        JsonWriter metadata = new JsonWriter().beginObject();
        map(metadata, "annotations", annotations);
        map(metadata, "labels", OwnershipAnnotations.LABELS);
        metadata.field("name", name)
                .field("namespace", ObjectNames.SETTINGS_NAMESPACE)
                .endObject();
        return "{\"apiVersion\":" + JsonWriter.quote(kind.apiVersion()) + ",\"kind\":" + JsonWriter.quote(kind.kind())
                + ",\"metadata\":" + metadata + fields(fields) + "}";
    }

    /** A merge patch from the found object to this one; the server rejects it if the object was changed meanwhile. */
    public String patch(StoredGrant found) {
        JsonWriter metadata = new JsonWriter().beginObject().key("annotations").beginObject();
        for (String key : found.annotations().keySet()) {
            if (!annotations.containsKey(key)) {
                metadata.key(key).nullValue();
            }
        }
        annotations.forEach(metadata::field);
        metadata.endObject();
        map(metadata, "labels", OwnershipAnnotations.LABELS);
        metadata.field("resourceVersion", found.resourceVersion()).endObject();
        SortedMap<String, String> changed = new TreeMap<>(fields);
        changed.remove(ROLE_REF);
        return "{\"metadata\":" + metadata + fields(changed) + "}";
    }

    private static String fields(Map<String, String> fields) {
        StringBuilder text = new StringBuilder();
        fields.forEach((name, json) ->
                text.append(',').append(JsonWriter.quote(name)).append(':').append(json));
        return text.toString();
    }

    private static void map(JsonWriter json, String key, Map<String, String> map) {
        json.key(key).beginObject();
        new TreeMap<>(map).forEach(json::field);
        json.endObject();
    }

    /** The objects in {@code cloud-init-settings} that a scoped fetch token needs. */
    public enum GrantKind {
        ACCOUNT("v1", "ServiceAccount", "serviceaccounts"),
        /** Grants read access to the secrets that its machines fetch, by name. */
        ROLE("rbac.authorization.k8s.io/v1", "Role", "roles"),
        BINDING("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings");

        private final String apiVersion;
        private final String kind;
        private final String plural;

        GrantKind(String apiVersion, String kind, String plural) {
            this.apiVersion = apiVersion;
            this.kind = kind;
            this.plural = plural;
        }

        public String apiVersion() {
            return apiVersion;
        }

        public String kind() {
            return kind;
        }

        /** The name in paths and permissions. */
        public String plural() {
            return plural;
        }

        /** The fields outside of metadata that the hub sets. */
        public List<String> fields() {
            return switch (this) {
                case ACCOUNT -> List.of("automountServiceAccountToken");
                case ROLE -> List.of("rules");
                case BINDING -> List.of("roleRef", "subjects");
            };
        }
    }
}
