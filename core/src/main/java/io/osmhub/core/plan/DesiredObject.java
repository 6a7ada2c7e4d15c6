package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.ProblemObject;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Desired state of an object. Merge patches hold the version found: the server rejects them if the object was changed meanwhile. */
public sealed interface DesiredObject {
    ProblemObject describe();

    private static ObjectNode create(
            String apiVersion, ProblemObject object, Map<String, String> annotations, Map<String, String> labels) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", apiVersion)
                .put("kind", object.kind());
        put(json.putObject("metadata"), annotations, labels)
                .put("name", object.name())
                .put("namespace", object.namespace());
        return json;
    }

    /** A merge patch of annotations and labels, to be extended. */
    static ObjectNode patch(StoredObject found, Map<String, String> annotations, Map<String, String> labels) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        put(json.putObject("metadata"), annotations, labels).put("resourceVersion", found.resourceVersion());
        return json;
    }

    private static ObjectNode put(ObjectNode metadata, Map<String, String> annotations, Map<String, String> labels) {
        annotations.forEach(
                (key, value) -> metadata.withObjectProperty("annotations").put(key, value));
        labels.forEach((key, value) -> metadata.withObjectProperty("labels").put(key, value));
        return metadata;
    }

    /** Adds a Secret's values, which are not base64-encoded. */
    static ObjectNode putData(ObjectNode json, Map<String, Sensitive> data) {
        data.forEach((key, value) ->
                json.withObjectProperty("data").put(key, value.reveal().getBytes(UTF_8)));
        return json;
    }

    /**
     * A Secret: mutable, without owner references.
     *
     * @param role null for a bootstrap token
     * @param data not base64-encoded
     */
    record DesiredSecret(
            @Nullable SecretRole role,
            String name,
            SortedMap<String, String> annotations,
            SortedMap<String, String> labels,
            SortedMap<String, Sensitive> data)
            implements DesiredObject {
        public DesiredSecret {
            annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
        }

        @Override
        public ProblemObject describe() {
            String namespace = role == null ? ObjectNames.TOKEN_NAMESPACE : ObjectNames.SETTINGS_NAMESPACE;
            return new ProblemObject(ProblemObject.Cluster.WORKER, "Secret", namespace, name);
        }

        /** {@code Opaque} when OSM leaves it out. */
        public String type() {
            return role == null ? BootstrapToken.SECRET_TYPE : StoredSecret.OPAQUE;
        }

        /** The object to create. */
        public Sensitive json() {
            ObjectNode json = create("v1", describe(), annotations, labels).put("type", type());
            return new Sensitive(putData(json, data).toString());
        }

        /** A merge patch from the found object to this one. */
        public Sensitive patch(StoredSecret found) {
            ObjectNode json = DesiredObject.patch(found, annotations, labels);
            found.digests().keySet().forEach(json.withObjectProperty("data")::putNull);
            return new Sensitive(putData(json, data).toString());
        }
    }

    /**
     * A ServiceAccount, Role or RoleBinding of {@code cloud-init-settings}.
     *
     * @param fields as those of {@link StoredGrant}
     */
    record DesiredGrant(GrantKind kind, String name, SortedMap<String, String> annotations, JsonNode fields)
            implements DesiredObject {
        private static final String ROLE_REF = "roleRef";

        public DesiredGrant {
            annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        }

        /**
         * The object of one kind for one MachineDeployment; all three share one name.
         *
         * @param secrets names of those that its machines fetch
         */
        static DesiredGrant of(
                GrantKind kind, String name, SortedMap<String, String> annotations, List<String> secrets) {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            switch (kind) {
                case ACCOUNT -> fields.put("automountServiceAccountToken", false);
                case ROLE -> {
                    ObjectNode rule = fields.putArray("rules").addObject();
                    rule.putArray("apiGroups").add("");
                    ArrayNode names = rule.putArray("resourceNames");
                    secrets.forEach(names::add);
                    rule.putArray("resources").add("secrets");
                    rule.putArray("verbs").add("get");
                }
                case BINDING -> {
                    fields.putObject(ROLE_REF)
                            .put("apiGroup", "rbac.authorization.k8s.io")
                            .put("kind", "Role")
                            .put("name", name);
                    fields.putArray("subjects")
                            .addObject()
                            .put("kind", "ServiceAccount")
                            .put("name", name)
                            .put("namespace", ObjectNames.SETTINGS_NAMESPACE);
                }
            }
            return new DesiredGrant(kind, name, annotations, fields);
        }

        @Override
        public ProblemObject describe() {
            return kind.object(name);
        }

        /** The role reference of a binding is immutable. */
        boolean isReplacementOf(StoredGrant found) {
            return fields.has(ROLE_REF)
                    && !fields.path(ROLE_REF).equals(found.fields().path(ROLE_REF));
        }

        /** The object to create. */
        public String json() {
            ObjectNode json = create(kind.apiVersion(), describe(), annotations, OwnershipAnnotations.LABELS);
            return json.setAll((ObjectNode) fields).toString();
        }

        /** A merge patch from the found object to this one. */
        public String patch(StoredGrant found) {
            ObjectNode json = DesiredObject.patch(found, annotations, OwnershipAnnotations.LABELS);
            ObjectNode metadata = json.withObjectProperty("metadata").withObjectProperty("annotations");
            found.annotations().keySet().stream()
                    .filter(key -> !annotations.containsKey(key))
                    .forEach(metadata::putNull);
            json.setAll((ObjectNode) fields);
            json.remove(ROLE_REF);
            return json.toString();
        }
    }

    /** @param ownAnnotations in addition to those of the rendering */
    record DesiredConfig(OperatingSystemConfig config, SortedMap<String, String> ownAnnotations)
            implements DesiredObject {
        @Override
        public ProblemObject describe() {
            return StoredConfig.object(config.namespace(), config.name());
        }
    }
}
