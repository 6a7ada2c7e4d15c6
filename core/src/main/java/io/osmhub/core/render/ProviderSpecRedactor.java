package io.osmhub.core.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes credentials from a provider's own settings before they are stored in an OperatingSystemConfig. */
final class ProviderSpecRedactor {
    private static final Set<String> CREDENTIALS = Set.of(
            "accesskeyid",
            "secretaccesskey",
            "accesskeysecret",
            "accesskey",
            "secretkey",
            "clientsecret",
            "token",
            "tokenid",
            "apitoken",
            "apikey",
            "password",
            "serviceaccount",
            "applicationcredentialsecret");
    private static final List<String> VARIABLE = List.of("value", "secretkeyref", "configmapkeyref");
    /** Keeps the digits of numbers as in the MachineDeployment. */
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    // Buffers are shared between threads, because a virtual thread lives for one rendering only.
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private ProviderSpecRedactor() {}

    /** The JSON with placeholders; the same text if it holds no credential. */
    static @Nullable String redact(@Nullable String json) {
        if (json == null) {
            return null;
        }
        try {
            JsonNode spec = JSON.readTree(json);
            return redact(spec, "") ? spec.toString() : json;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a decoded provider spec is not JSON", e);
        }
    }

    /** Replaces credentials in a tree by placeholders. Returns whether it replaced any. */
    static boolean redact(JsonNode node, String parent) {
        boolean changed = false;
        if (node instanceof ArrayNode array) {
            for (JsonNode item : array) {
                changed |= redact(item, parent);
            }
        } else if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                String name = field.getKey().toLowerCase(Locale.ROOT);
                JsonNode value = field.getValue();
                boolean credential = CREDENTIALS.contains(name) || (name.equals("kubeconfig") && parent.equals("auth"));
                if (!credential) {
                    changed |= redact(value, name);
                } else if (isVariable(value)) {
                    changed |= redactDirectValue((ObjectNode) value);
                } else if (!isNothing(value)) {
                    field.setValue(placeholder());
                    changed = true;
                }
            }
        }
        return changed;
    }

    /** Whether it is a variable's long form: a value, or a reference, which is not a credential. */
    private static boolean isVariable(JsonNode value) {
        return value instanceof ObjectNode object
                && object.propertyStream()
                        .allMatch(field -> VARIABLE.contains(field.getKey().toLowerCase(Locale.ROOT)));
    }

    private static boolean redactDirectValue(ObjectNode variable) {
        boolean changed = false;
        for (Map.Entry<String, JsonNode> field : variable.properties()) {
            if (field.getKey().equalsIgnoreCase("value") && !isNothing(field.getValue())) {
                field.setValue(placeholder());
                changed = true;
            }
        }
        return changed;
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || value.isTextual() && value.textValue().isEmpty();
    }

    private static TextNode placeholder() {
        return TextNode.valueOf(CredentialPlaceholder.PROVIDER_SPEC.text());
    }
}
