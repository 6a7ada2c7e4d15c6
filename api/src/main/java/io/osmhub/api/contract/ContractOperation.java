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

/** One operation of the contract. Immutable; safe for use by many threads. */
public final class ContractOperation {
    private static final String JSON = "application/json";

    private final String id;
    private final String method;
    private final String path;
    private final boolean open;
    private final List<Parameter> parameters;
    private final @Nullable Body body;
    private final Map<String, Answer> answers;

    /** @param schema what the JSON has to be */
    record Body(boolean required, CheckedSchema schema) {}

    /** @param schema by media type; empty when there is no body */
    record Answer(Map<String, CheckedSchema> schema, List<String> headers) {}

    private ContractOperation(
            String id,
            String method,
            String path,
            boolean open,
            List<Parameter> parameters,
            @Nullable Body body,
            Map<String, Answer> answers) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.open = open;
        this.parameters = List.copyOf(parameters);
        this.body = body;
        this.answers = Map.copyOf(answers);
    }

    static ContractOperation read(JsonNode document, Schemas schemas, String path, String method, JsonNode shared) {
        JsonNode node = shared.path(method);
        Place here = new Place(document, "/paths/" + escape(path) + "/" + method, node);
        List<Parameter> parameters = new ArrayList<>();
        parameters.addAll(parameters(new Place(document, "/paths/" + escape(path), shared), schemas));
        parameters.addAll(parameters(here, schemas));
        Body body = null;
        if (node.has("requestBody")) {
            Place content = here.to("requestBody").to("content").to(JSON).to("schema");
            body = new Body(
                    node.path("requestBody").path("required").asBoolean(),
                    schemas.at(content.pointer(), content.node()));
        }
        Map<String, Answer> answers = new LinkedHashMap<>();
        node.path("responses").fieldNames().forEachRemaining(status -> {
            Place answer = here.to("responses").to(status).resolved();
            Map<String, CheckedSchema> byType = new LinkedHashMap<>();
            answer.node().path("content").fieldNames().forEachRemaining(type -> {
                Place schema = answer.to("content").to(type).to("schema");
                byType.put(type, schemas.at(schema.pointer(), schema.node()));
            });
            List<String> headers = new ArrayList<>();
            answer.node().path("headers").fieldNames().forEachRemaining(headers::add);
            answers.put(status, new Answer(byType, headers));
        });
        boolean open = node.has("security") && node.path("security").isEmpty();
        return new ContractOperation(
                node.path("operationId").asText(),
                method.toUpperCase(Locale.ROOT),
                path,
                open,
                parameters,
                body,
                answers);
    }

    private static List<Parameter> parameters(Place owner, Schemas schemas) {
        Place list = owner.to("parameters");
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < list.node().size(); i++) {
            parameters.add(Parameter.read(list.to(String.valueOf(i)).resolved(), schemas));
        }
        return parameters;
    }

    static String escape(String part) {
        return part.replace("~", "~0").replace("/", "~1");
    }

    /** {@code operationId}. */
    public String id() {
        return id;
    }

    /** In upper case. */
    public String method() {
        return method;
    }

    /** Template below {@link Contract#BASE}, with parameters in braces. */
    public String path() {
        return path;
    }

    /** Whether it wants no sign-in. */
    public boolean open() {
        return open;
    }

    /** Of path, query and headers. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** Whether requests may have a body. */
    public boolean takesBody() {
        return body != null;
    }

    Body body() {
        if (body == null) {
            throw new NoSuchElementException(id + " takes no body");
        }
        return body;
    }

    /** Media types of its successful answers; never empty. */
    public List<String> mediaTypes() {
        List<String> types = answers.entrySet().stream()
                .filter(answer -> answer.getKey().startsWith("2"))
                .flatMap(answer -> answer.getValue().schema().keySet().stream())
                .distinct()
                .toList();
        return types.isEmpty() ? List.of(JSON) : types;
    }

    /** Whether an answer goes on, as server-sent events. */
    public boolean streams() {
        return mediaTypes().contains("text/event-stream");
    }

    /**
     * What is wrong with an answer; empty when it keeps the contract.
     *
     * @param mediaType empty without a body
     */
    public List<String> mistakesOfAnswer(int status, String mediaType, @Nullable JsonNode sent) {
        Answer answer = answers.get(String.valueOf(status));
        if (answer == null) {
            answer = answers.get(status / 100 + "XX");
        }
        if (answer == null) {
            return List.of("status " + status + " is not in the contract of " + id);
        }
        CheckedSchema schema = answer.schema().get(mediaType);
        if (schema == null) {
            return answer.schema().isEmpty() && mediaType.isEmpty()
                    ? List.of()
                    : List.of("media type \"" + mediaType + "\" is not in the contract of " + id + " for " + status);
        }
        return Optional.ofNullable(sent).map(schema::plainMistakes).orElse(List.of());
    }

    /** A node of the document and where it is. */
    record Place(JsonNode document, String pointer, JsonNode node) {
        Place to(String part) {
            JsonNode next = node.isArray() ? node.path(Integer.parseInt(part)) : node.path(part);
            return new Place(document, pointer + "/" + escape(part), next);
        }

        /** The same, or what it refers to. */
        Place resolved() {
            String reference = node.path("$ref").asText();
            return reference.isEmpty()
                    ? this
                    : new Place(document, reference.substring(1), document.at(reference.substring(1)));
        }

        List<String> texts() {
            return StreamSupport.stream(node.spliterator(), false)
                    .map(JsonNode::asText)
                    .toList();
        }
    }
}
