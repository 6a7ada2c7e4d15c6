package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the contract. Immutable and thread-safe.
 *
 * @param id {@code operationId}
 * @param method in upper case
 * @param path template below {@link ApiContract#BASE}
 * @param anonymous whether it needs no sign-in
 * @param parameters of path, query and headers
 * @param requestBody null if requests may not have one
 * @param answers schemas of responses by status, then by media type; empty without a body
 */
public record ContractOperation(
        String id,
        String method,
        String path,
        boolean anonymous,
        List<ContractParameter> parameters,
        @Nullable BodyContract requestBody,
        Map<String, Map<String, ContractSchemaValidator>> answers) {
    private static final String JSON = "application/json";

    /** @param schema of the JSON body */
    record BodyContract(boolean required, ContractSchemaValidator schema) {}

    static ContractOperation read(
            JsonNode document, ContractSchemas schemas, String path, String method, JsonNode shared) {
        JsonNode node = shared.path(method);
        ContractNode here = new ContractNode(document, "/paths/" + escape(path) + "/" + method, node);
        List<ContractParameter> parameters = new ArrayList<>();
        parameters.addAll(parameters(new ContractNode(document, "/paths/" + escape(path), shared), schemas));
        parameters.addAll(parameters(here, schemas));
        BodyContract body = null;
        if (node.has("requestBody")) {
            ContractNode content =
                    here.child("requestBody").child("content").child(JSON).child("schema");
            body = new BodyContract(
                    node.path("requestBody").path("required").asBoolean(), schemas.getSchema(content.pointer()));
        }
        Map<String, Map<String, ContractSchemaValidator>> answers = new LinkedHashMap<>();
        node.path("responses").fieldNames().forEachRemaining(status -> {
            ContractNode answer = here.child("responses").child(status).resolveReference();
            Map<String, ContractSchemaValidator> byType = new LinkedHashMap<>();
            answer.node().path("content").fieldNames().forEachRemaining(type -> {
                ContractNode schema = answer.child("content").child(type).child("schema");
                byType.put(type, schemas.getSchema(schema.pointer()));
            });
            answers.put(status, byType);
        });
        boolean open = node.has("security") && node.path("security").isEmpty();
        return new ContractOperation(
                node.path("operationId").asText(),
                method.toUpperCase(Locale.ROOT),
                path,
                open,
                List.copyOf(parameters),
                body,
                Map.copyOf(answers));
    }

    private static List<ContractParameter> parameters(ContractNode owner, ContractSchemas schemas) {
        ContractNode list = owner.child("parameters");
        List<ContractParameter> parameters = new ArrayList<>();
        for (int i = 0; i < list.node().size(); i++) {
            parameters.add(ContractParameter.read(list.child(String.valueOf(i)).resolveReference(), schemas));
        }
        return parameters;
    }

    static String escape(String part) {
        return part.replace("~", "~0").replace("/", "~1");
    }

    /** Whether requests may have a body. */
    public boolean hasBody() {
        return requestBody != null;
    }

    BodyContract body() {
        if (requestBody == null) {
            throw new NoSuchElementException(id + " takes no body");
        }
        return requestBody;
    }

    /** Media types of its successful responses; never empty. */
    public List<String> mediaTypes() {
        List<String> types = answers.entrySet().stream()
                .filter(answer -> answer.getKey().startsWith("2"))
                .flatMap(answer -> answer.getValue().keySet().stream())
                .distinct()
                .toList();
        return types.isEmpty() ? List.of(JSON) : types;
    }

    /**
     * Violations of a response; empty if it conforms.
     *
     * @param mediaType empty without a body
     */
    public List<String> validateResponse(int status, String mediaType, @Nullable JsonNode sent) {
        Map<String, ContractSchemaValidator> answer = answers.get(String.valueOf(status));
        if (answer == null) {
            answer = answers.get(status / 100 + "XX");
        }
        if (answer == null) {
            return List.of("status " + status + " is not in the contract of " + id);
        }
        ContractSchemaValidator schema = answer.get(mediaType);
        if (schema == null) {
            return answer.isEmpty() && mediaType.isEmpty()
                    ? List.of()
                    : List.of("media type \"" + mediaType + "\" is not in the contract of " + id + " for " + status);
        }
        return Optional.ofNullable(sent).map(schema::validateRaw).orElse(List.of());
    }

    /** A node of the document and its location. */
    record ContractNode(JsonNode document, String pointer, JsonNode node) {
        ContractNode child(String part) {
            JsonNode next = node.isArray() ? node.path(Integer.parseInt(part)) : node.path(part);
            return new ContractNode(document, pointer + "/" + escape(part), next);
        }

        /** The node, or the target of its reference. */
        ContractNode resolveReference() {
            String reference = node.path("$ref").asText();
            return reference.isEmpty()
                    ? this
                    : new ContractNode(document, reference.substring(1), document.at(reference.substring(1)));
        }

        List<String> texts() {
            return StreamSupport.stream(node.spliterator(), false)
                    .map(JsonNode::asText)
                    .toList();
        }
    }
}
