package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of one kind beyond those for all kinds. */
interface KindRules {
    /** Adds what a create leaves out, without an owner. */
    default void complete(ObjectNode created) {}

    /** Converts a written object to its stored form. {@code old} is null on create. */
    default void prepare(@Nullable ObjectNode old, ObjectNode written) {}

    /** Adds the fields that this kind always shows, even if empty. */
    default void addAlwaysShownFields(ObjectNode written) {}

    /** The invalid fields. {@code old} is null on create. */
    default List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        return List.of();
    }

    private static void putNullIfAbsent(ObjectNode object, String... fields) {
        for (String field : fields) {
            if (!object.has(field)) {
                object.putNull(field);
            }
        }
    }

    /** Objects of custom kinds: their schema decides. */
    record CustomResources(CustomResourceSchema schema) implements KindRules {
        @Override
        public void prepare(@Nullable ObjectNode old, ObjectNode written) {
            schema.pruneAndDefault(written);
        }

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            return schema.check(written);
        }
    }

    /** Phase, finalizer and the label with the name. */
    final class Namespaces implements KindRules {
        @Override
        public void complete(ObjectNode created) {
            JsonTrees.child(created, "spec").putArray("finalizers").add("kubernetes");
            created.putObject("status").put("phase", "Active");
        }

        @Override
        public void prepare(@Nullable ObjectNode old, ObjectNode written) {
            ObjectNode metadata = JsonTrees.child(written, "metadata");
            JsonTrees.child(metadata, "labels").put("kubernetes.io/metadata.name", JsonTrees.text(metadata, "name"));
        }
    }

    /** Events in their stored form, that of core v1. */
    final class Events implements KindRules {
        @Override
        public void addAlwaysShownFields(ObjectNode written) {
            putNullIfAbsent(written, "eventTime", "firstTimestamp", "lastTimestamp");
            for (String text : List.of("reportingComponent", "reportingInstance")) {
                written.put(text, JsonTrees.text(written, text));
            }
            JsonTrees.child(written, "source");
        }

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            String involved = JsonTrees.text(written, "involvedObject", "namespace");
            String namespace = JsonTrees.text(written, "metadata", "namespace");
            // The event of an object without a namespace is in default.
            boolean fits = involved.isEmpty()
                    ? List.of("default", "kube-system").contains(namespace)
                    : involved.equals(namespace);
            String why = "\"%s\": does not match event.namespace".formatted(involved);
            return fits ? List.of() : List.of(Cause.invalid("involvedObject.namespace", why));
        }
    }

    final class Leases implements KindRules {
        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            List<Cause> causes = new ArrayList<>();
            requireAtLeast(written, "leaseDurationSeconds", 1, "must be greater than 0", causes);
            requireAtLeast(written, "leaseTransitions", 0, "must be greater than or equal to 0", causes);
            return causes;
        }

        private static void requireAtLeast(
                ObjectNode written, String field, int least, String why, List<Cause> causes) {
            int value = JsonTrees.at(written, "spec", field).asInt(least);
            if (value < least) {
                causes.add(Cause.invalid("spec." + field, value + ": " + why));
            }
        }
    }

    /** Roles and ClusterRoles. */
    final class Roles implements KindRules {
        @Override
        public void addAlwaysShownFields(ObjectNode written) {
            putNullIfAbsent(written, "rules");
        }

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            List<Cause> causes = new ArrayList<>();
            int index = 0;
            for (JsonNode rule : written.path("rules")) {
                String at = "rules[%d].".formatted(index++);
                require(rule, at, "verbs", "verbs must contain at least one value", causes);
                if (rule.path("nonResourceURLs").isEmpty()) {
                    require(rule, at, "apiGroups", "resource rules must supply at least one api group", causes);
                    require(rule, at, "resources", "resource rules must supply at least one resource", causes);
                }
            }
            return causes;
        }

        private static void require(JsonNode rule, String at, String field, String why, List<Cause> causes) {
            if (rule.path(field).isEmpty()) {
                causes.add(new Cause(at + field, "FieldValueRequired", "Required value: " + why));
            }
        }
    }

    /** RoleBindings and ClusterRoleBindings: their role is immutable. */
    final class Bindings implements KindRules {
        @Override
        public void prepare(@Nullable ObjectNode old, ObjectNode written) {
            for (JsonNode subject : written.path("subjects")) {
                boolean account = JsonTrees.text(subject, "kind").equals("ServiceAccount");
                if (!account && subject instanceof ObjectNode object && !object.has("apiGroup")) {
                    object.put("apiGroup", ResourceCatalog.RBAC);
                }
            }
        }

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            JsonNode role = written.path("roleRef");
            if (JsonTrees.text(role, "name").isEmpty()) {
                return List.of(Cause.required("roleRef.name"));
            }
            boolean changed = old != null && !old.path("roleRef").equals(role);
            return changed ? List.of(Cause.invalid("roleRef", role + ": cannot change roleRef")) : List.of();
        }
    }

    /** The address type is required and immutable. */
    final class EndpointSlices implements KindRules {
        @Override
        public void prepare(@Nullable ObjectNode old, ObjectNode written) {
            for (JsonNode port : written.path("ports")) {
                if (port instanceof ObjectNode object) {
                    object.put("protocol", object.path("protocol").asText("TCP"));
                    object.put("name", object.path("name").asText(""));
                }
            }
        }

        @Override
        public void addAlwaysShownFields(ObjectNode written) {
            putNullIfAbsent(written, "endpoints", "ports");
        }

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            String type = JsonTrees.text(written, "addressType");
            if (type.isEmpty()) {
                return List.of(Cause.required("addressType"));
            }
            boolean changed = old != null && !type.equals(JsonTrees.text(old, "addressType"));
            return changed ? List.of(Cause.immutable("addressType", type)) : List.of();
        }
    }

    /** Keys and immutability, which Secrets share. */
    final class ConfigMaps implements KindRules {
        private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            List<Cause> causes = new ArrayList<>();
            checkKeys(written.path("data"), causes);
            checkKeys(written.path("binaryData"), causes);
            checkImmutable(old, written, List.of("data", "binaryData"), causes);
            return causes;
        }

        static void checkKeys(JsonNode data, List<Cause> causes) {
            data.fieldNames().forEachRemaining(key -> {
                if (!KEY.matcher(key).matches()) {
                    causes.add(
                            Cause.invalid(
                                    "data[" + key + "]",
                                    "\"" + key
                                            + "\": a valid config key must consist of alphanumeric characters, '-', '_' or '.'"));
                }
            });
        }

        static void checkImmutable(
                @Nullable ObjectNode old, ObjectNode written, List<String> fields, List<Cause> causes) {
            if (old == null || !old.path("immutable").asBoolean()) {
                return;
            }
            if (!written.path("immutable").asBoolean()) {
                causes.add(forbidden("immutable"));
            }
            for (String field : fields) {
                boolean bothEmpty =
                        old.path(field).isEmpty() && written.path(field).isEmpty();
                if (!bothEmpty && !old.path(field).equals(written.path(field))) {
                    causes.add(forbidden(field));
                }
            }
        }

        private static Cause forbidden(String field) {
            return new Cause(field, "FieldValueForbidden", "Forbidden: field is immutable when `immutable` is set");
        }
    }

    /** Base64, size, type and immutability. */
    final class Secrets implements KindRules {
        private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        private static final long MAX_BYTES = 1024 * 1024;
        private static final Map<String, List<String>> REQUIRED_KEYS = Map.of(
                "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
                "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
                "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));

        @Override
        public void prepare(@Nullable ObjectNode old, ObjectNode written) {
            if (written.remove("stringData") instanceof ObjectNode texts) {
                ObjectNode data = JsonTrees.child(written, "data");
                texts.properties()
                        .forEach(each -> data.put(
                                each.getKey(), JsonTrees.base64(each.getValue().asText())));
            }
            if (JsonTrees.text(written, "type").isEmpty()) {
                written.put("type", "Opaque");
            }
            written.path("data").forEach(Secrets::decode);
        }

        @Override
        public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
            List<Cause> causes = new ArrayList<>();
            JsonNode data = written.path("data");
            ConfigMaps.checkKeys(data, causes);
            if (data.valueStream().mapToLong(value -> decode(value).length).sum() > MAX_BYTES) {
                causes.add(new Cause(
                        "data", "FieldValueTooLong", "Too long: may not be more than " + MAX_BYTES + " bytes"));
            }
            String type = JsonTrees.text(written, "type");
            for (String key : REQUIRED_KEYS.getOrDefault(type, List.of())) {
                if (!data.has(key)) {
                    causes.add(Cause.required("data[" + key + "]"));
                }
            }
            if (type.equals("kubernetes.io/basic-auth") && !data.has("username") && !data.has("password")) {
                causes.add(Cause.required("data[username]"));
                causes.add(Cause.required("data[password]"));
            }
            String account = "kubernetes.io/service-account.name";
            if (type.equals("kubernetes.io/service-account-token")
                    && JsonTrees.text(written, "metadata", "annotations", account)
                            .isEmpty()) {
                causes.add(Cause.required("metadata.annotations[" + account + "]"));
            }
            if (old != null && !type.equals(JsonTrees.text(old, "type"))) {
                causes.add(Cause.immutable("type", type));
            }
            ConfigMaps.checkImmutable(old, written, List.of("data"), causes);
            return causes;
        }

        private static byte[] decode(JsonNode value) {
            String text = value.isNull() ? "" : value.asText();
            try {
                return Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IllegalArgumentException notBase64) {
                int valid = 0;
                while (valid < text.length() && BASE64.indexOf(text.charAt(valid)) >= 0) {
                    valid++;
                }
                throw ApiError.badRequest(
                        "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte "
                                + valid);
            }
        }
    }
}
