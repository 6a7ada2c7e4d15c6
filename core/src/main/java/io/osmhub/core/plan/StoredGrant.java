package io.osmhub.core.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.problem.ProblemObject;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A ServiceAccount, Role or RoleBinding of {@code cloud-init-settings}, as found.
 *
 * @param annotations those of the hub
 * @param fields an object with those of {@link GrantKind#fields} that exist; not changed
 * @param lastWriter field manager of the latest write; null if unknown
 */
public record StoredGrant(
        GrantKind kind,
        String name,
        String uid,
        String resourceVersion,
        SortedMap<String, String> annotations,
        JsonNode fields,
        @Nullable String lastWriter)
        implements StoredObject {
    public StoredGrant {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    public static StoredGrant of(GrantKind kind, JsonNode object, @Nullable String lastWriter) {
        JsonNode metadata = object.path("metadata");
        SortedMap<String, String> annotations = new TreeMap<>();
        metadata.path("annotations").properties().forEach(annotation -> {
            if (annotation.getKey().startsWith("osmhub.io/")) {
                annotations.put(annotation.getKey(), annotation.getValue().asText());
            }
        });
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        kind.fields().stream().filter(object::hasNonNull).forEach(field -> fields.set(field, object.get(field)));
        return new StoredGrant(
                kind,
                metadata.path("name").asText(""),
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""),
                annotations,
                fields,
                lastWriter);
    }

    @Override
    public ProblemObject describe() {
        return kind.object(name);
    }

    /** The objects in {@code cloud-init-settings} that a scoped fetch token needs. */
    public enum GrantKind {
        ACCOUNT("v1", "ServiceAccount"),
        /** Grants read access to the secrets that its machines fetch, by name. */
        ROLE("rbac.authorization.k8s.io/v1", "Role"),
        BINDING("rbac.authorization.k8s.io/v1", "RoleBinding");

        private final String apiVersion;
        private final String kind;

        GrantKind(String apiVersion, String kind) {
            this.apiVersion = apiVersion;
            this.kind = kind;
        }

        String apiVersion() {
            return apiVersion;
        }

        public String kind() {
            return kind;
        }

        /** The fields outside of metadata that the hub sets. */
        List<String> fields() {
            return switch (this) {
                case ACCOUNT -> List.of("automountServiceAccountToken");
                case ROLE -> List.of("rules");
                case BINDING -> List.of("roleRef", "subjects");
            };
        }

        /** The object of this kind and name. */
        public ProblemObject object(String name) {
            return new ProblemObject(ProblemObject.Cluster.WORKER, kind, ObjectNames.SETTINGS_NAMESPACE, name);
        }
    }
}
