package io.osmhub.api.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The hub's OpenAPI document. Immutable. */
public final class ApiContract {
    /** Base path of all operations. */
    public static final String BASE = "/api/v1";

    private static final String RESOURCE = "/openapi.yaml";
    private static final List<String> METHODS = List.of("get", "put", "post", "patch", "delete");
    private static final Pattern SERVER = Pattern.compile("(?m)^- url: \\S+$");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String text;
    private final JsonNode document;
    private final Map<String, ContractOperation> operations = new LinkedHashMap<>();

    private ApiContract(String text) throws JsonProcessingException {
        this.text = text;
        this.document = new YAMLMapper().readTree(text);
        ContractSchemas schemas = new ContractSchemas(document);
        document.path("paths").properties().forEach(path -> {
            for (String method : METHODS) {
                if (path.getValue().has(method)) {
                    ContractOperation operation =
                            ContractOperation.read(document, schemas, path.getKey(), method, path.getValue());
                    operations.put(operation.id(), operation);
                }
            }
        });
    }

    /** The built-in contract. */
    public static ApiContract load() {
        try (InputStream stream = ApiContract.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the program");
            }
            return new ApiContract(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In document order. */
    public List<ContractOperation> operations() {
        return List.copyOf(operations.values());
    }

    public ContractOperation operation(String id) {
        ContractOperation operation = operations.get(id);
        if (operation == null) {
            throw new NoSuchElementException("the contract has no operation " + id);
        }
        return operation;
    }

    /** Operations by path template, both in document order. */
    public Map<String, List<ContractOperation>> byPath() {
        Map<String, List<ContractOperation>> paths = new LinkedHashMap<>();
        operations.values().forEach(operation -> paths.computeIfAbsent(operation.path(), path -> new ArrayList<>())
                .add(operation));
        return paths;
    }

    /** The whole document; must not be modified. */
    public JsonNode document() {
        return document;
    }

    /**
     * The published document.
     *
     * @param server scheme, host and port that the client used
     */
    public String yaml(String server) {
        return SERVER.matcher(text).replaceFirst(Matcher.quoteReplacement("- url: " + server + BASE));
    }

    /** The same as JSON. */
    public String json(String server) {
        ObjectNode copy = document.deepCopy();
        ((ObjectNode) copy.path("servers").path(0)).put("url", server + BASE);
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(copy);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
