package io.osmhub.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.osmhub.api.schema.ObjectSource.ObjectInFull;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContractTest {
    private static final ObjectMapper JSON = ApiJson.server();
    private static final JsonNode SCHEMAS = contract().path("components").path("schemas");

    /** Settings are passed on as JSON; their field in a WorkerCluster, whose definition is their contract. */
    private static final Map<String, String> SETTINGS = Map.of(
            "ProvisioningSettings", "provisioning",
            "ProfileSettings", "profiles",
            "ConnectionSettings", "connection",
            "AdmissionSettings", "admission");

    /** Schemas that are another type than a record of their name. */
    private static final Map<String, String> ELSEWHERE = elsewhere();

    /** Plain texts, numbers and times. */
    private static final Set<String> SCALARS = Set.of("NamespaceName", "ObjectName", "Quantity", "Timestamp", "Reason");

    /** Requests that are read as JSON, field by field. */
    private static final Set<String> READ_AS_JSON = Set.of("SignIn", "WorkerClusterPatch");

    private final Set<String> seen = new HashSet<>();
    private final List<String> differences = new ArrayList<>();

    @TestFactory
    Stream<DynamicTest> aTypeSaysWhatItsSchemaSays() {
        return typed().map(name -> DynamicTest.dynamicTest(name, () -> {
            compare(name, SCHEMAS.path(name), type(name));

            assertThat(differences).isEmpty();
        }));
    }

    @TestFactory
    Stream<DynamicTest> settingsAreThoseOfTheDefinition() {
        return SETTINGS.entrySet().stream()
                .map(settings -> DynamicTest.dynamicTest(settings.getKey(), () -> {
                    compareDefinition(
                            settings.getKey(),
                            SCHEMAS.path(settings.getKey()),
                            ShippedDefinition.WORKER_CLUSTERS
                                    .schema()
                                    .at("/properties/spec/properties/" + settings.getValue()));

                    assertThat(differences).isEmpty();
                }));
    }

    private void compareDefinition(String path, JsonNode contract, JsonNode definition) {
        JsonNode schema = contract.has("$ref")
                ? SCHEMAS.path(contract.path("$ref").asText().replaceFirst(".*/", ""))
                : contract;
        Set<String> fields = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(fields::add);
        Set<String> wanted = new TreeSet<>();
        definition.path("properties").fieldNames().forEachRemaining(wanted::add);
        if (!fields.equals(wanted)) {
            differences.add(path + " has " + fields + " for " + wanted);
        }
        for (String keyword : List.of("type", "enum", "required")) {
            if (!schema.path(keyword).equals(definition.path(keyword))) {
                differences.add(
                        path + ": " + keyword + " is " + schema.path(keyword) + " for " + definition.path(keyword));
            }
        }
        wanted.forEach(name -> compareDefinition(
                path + "." + name,
                schema.path("properties").path(name),
                definition.path("properties").path(name)));
        for (String below : List.of("items", "additionalProperties")) {
            if (definition.path(below).isObject()) {
                compareDefinition(path + "." + below, schema.path(below), definition.path(below));
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> anExampleOfTheContractComesBackAsItWasRead() {
        return typed().filter(name -> !name.equals("ObjectSource")).flatMap(name -> StreamSupport.stream(
                        SCHEMAS.path(name).path("examples").spliterator(), false)
                .map(example -> DynamicTest.dynamicTest(name, () -> {
                    Object value = ApiJson.client().treeToValue(example, type(name));

                    JsonNode back = ApiJson.client().valueToTree(value);
                    assertThat(missing("", example, back)).isEmpty();
                })));
    }

    @Test
    void theContractIsReadWhole() {
        assertThat(names().toList())
                .contains("WorkerCluster", "Summary", "Problem", "WhyReport")
                .hasSizeGreaterThan(50);
    }

    /** Generators for Go write one constant per value of a named enum into one package: x-enum-varnames, or the value in upper snake case. */
    @Test
    void noTwoEnumConstantsOfAGeneratedGoClientHaveOneName() {
        Map<String, List<String>> owners = new TreeMap<>();

        SCHEMAS.properties().forEach(schema -> {
            JsonNode values = schema.getValue().path("enum");
            JsonNode given = schema.getValue().path("x-enum-varnames");
            assertThat(given.isMissingNode() ? values : given)
                    .as(schema.getKey())
                    .hasSameSizeAs(values);
            for (int i = 0; i < values.size(); i++) {
                String name = given.isMissingNode()
                        ? values.path(i)
                                .asText()
                                .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                                .toUpperCase(Locale.ROOT)
                        : given.path(i).asText();
                owners.computeIfAbsent(name, first -> new ArrayList<>()).add(schema.getKey());
            }
        });

        assertThat(owners).isNotEmpty().allSatisfy((name, schemas) -> assertThat(schemas)
                .as("%s: add x-enum-varnames to one of the schemas", name)
                .hasSize(1));
        assertThat(owners.keySet()).doesNotContainAnyElementsOf(names().toList());
    }

    @Test
    void aCredentialIsNotWrittenByTheServer() {
        KubeconfigRequest request = new KubeconfigRequest(new Sensitive("token: abc"), null);

        assertThatThrownBy(() -> JSON.writeValueAsString(request)).hasMessageNotContaining("abc");
        assertThat(request.toString()).doesNotContain("abc");
    }

    @Test
    void anObjectInFullIsNotShown() throws IOException {
        ObjectSource source = JSON.readValue("{\"object\":{\"password\":\"abc\"}}", ObjectSource.class);

        assertThat(source).isInstanceOf(ObjectInFull.class);
        assertThat(source.toString()).doesNotContain("abc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"items\":null}"})
    void aRequiredFieldIsNeitherMissingNorNull(String page) {
        assertThatThrownBy(() -> ApiJson.client().readValue(page, PagedList.class))
                .isInstanceOf(JsonMappingException.class)
                .hasMessageContaining("items");
    }

    @Test
    void everyWordLeadsBackToItsConstant() {
        for (State state : State.values()) {
            assertThat(ApiJson.constant(State.class, ApiJson.word(state))).contains(state);
        }
        assertThat(ApiJson.constant(State.class, "synced")).isEmpty();
    }

    private void compare(String path, JsonNode schema, JavaType type) {
        if (schema.has("$ref")) {
            String name = schema.path("$ref").asText().replaceFirst(".*/", "");
            if (!SCALARS.contains(name) && seen.add(name + type)) {
                compare(path, SCHEMAS.path(name), type);
            }
        } else if (schema.has("enum")) {
            compareWords(path, schema, type);
        } else if (schema.has("oneOf") || type.isTypeOrSubTypeOf(JsonNode.class)) {
            return;
        } else if (schema.path("type").asText().equals("array")) {
            compare(path + "[]", schema.path("items"), type.getContentType());
        } else if (schema.has("properties")) {
            compareProperties(path, schema, type);
        } else if (schema.path("additionalProperties").isObject()) {
            compare(path + "{}", schema.path("additionalProperties"), type.getContentType());
        }
    }

    private void compareWords(String path, JsonNode schema, JavaType type) {
        Set<String> wanted = new TreeSet<>();
        schema.path("enum").forEach(word -> wanted.add(word.asText()));
        Object @Nullable [] constants = type.getRawClass().getEnumConstants();
        if (constants == null) {
            differences.add(path + " is no enum but " + type);
            return;
        }
        Set<String> found = new TreeSet<>();
        Arrays.stream(constants).forEach(constant -> found.add(ApiJson.word((Enum<?>) constant)));
        // A profile's files go to two of the documents.
        boolean narrowed = type.getRawClass() == DocumentName.class && path.startsWith("OspDetail");
        if (narrowed ? !found.containsAll(wanted) : !found.equals(wanted)) {
            differences.add(path + " has " + found + " for " + wanted);
        }
    }

    private void compareProperties(String path, JsonNode schema, JavaType type) {
        Map<String, JavaType> found = new TreeMap<>();
        addProperties(type, found);
        Set<String> wanted = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(wanted::add);
        if (!found.keySet().equals(wanted)) {
            differences.add(path + " has " + found.keySet() + " for " + wanted);
        }
        compareRequired(path, schema, type.getRawClass());
        for (String name : wanted) {
            JavaType propertyType = found.get(name);
            if (propertyType != null) {
                compare(path + "." + name, schema.path("properties").path(name), propertyType);
            }
        }
    }

    /** What is required is never null; what is not may be. Types of the core fill in what the API server would. */
    private void compareRequired(String path, JsonNode schema, Class<?> type) {
        if (!type.getName().startsWith("io.osmhub.api.schema.")) {
            return;
        }
        Set<String> required = new TreeSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        Set<String> never = new TreeSet<>();
        addRequired(type, never);
        if (!required.equals(never)) {
            differences.add(path + " has non-null " + never + " for " + required);
        }
    }

    /** With those of records that are written in its place. */
    private static void addProperties(JavaType type, Map<String, JavaType> properties) {
        for (BeanPropertyDefinition property :
                JSON.getSerializationConfig().introspect(type).findProperties()) {
            if (property.getAccessor().hasAnnotation(JsonUnwrapped.class)) {
                addProperties(property.getPrimaryType(), properties);
            } else {
                properties.put(property.getName(), property.getPrimaryType());
            }
        }
    }

    private static void addRequired(Class<?> type, Set<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            AnnotatedType componentType = component.getAnnotatedType();
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                addRequired(component.getType(), names);
            } else if (!componentType.isAnnotationPresent(Nullable.class)) {
                names.add(component.getName());
            }
        }
    }

    /** What of a tree is not in another, or is something else there. */
    private static List<String> missing(String path, JsonNode wanted, JsonNode found) {
        List<String> missing = new ArrayList<>();
        if (wanted.isObject()) {
            wanted.properties()
                    .forEach(field -> missing.addAll(
                            missing(path + "." + field.getKey(), field.getValue(), found.path(field.getKey()))));
        } else if (wanted.isArray() && wanted.size() == found.size()) {
            for (int i = 0; i < wanted.size(); i++) {
                missing.addAll(missing(path + "[" + i + "]", wanted.path(i), found.path(i)));
            }
        } else if (wanted.isNumber() ? wanted.asDouble() != found.asDouble() : !wanted.equals(found)) {
            missing.add(path + ": " + found + " for " + wanted);
        }
        return missing;
    }

    private static Stream<String> typed() {
        return names().filter(name -> !SCALARS.contains(name) && !READ_AS_JSON.contains(name));
    }

    private static Stream<String> names() {
        List<String> names = new ArrayList<>();
        SCHEMAS.fieldNames().forEachRemaining(names::add);
        return names.stream();
    }

    private static JavaType type(String schema) throws ClassNotFoundException {
        if (schema.endsWith("List")) {
            JavaType item = type(SCHEMAS.at("/" + schema + "/properties/items/items/$ref")
                    .asText()
                    .replaceFirst(".*/", ""));
            return JSON.getTypeFactory().constructParametricType(PagedList.class, item);
        }
        return JSON.constructType(
                Class.forName(Objects.requireNonNullElse(ELSEWHERE.get(schema), "io.osmhub.api.schema." + schema)));
    }

    private static Map<String, String> elsewhere() {
        Map<String, String> types = new HashMap<>();
        types.put("MachineDeployment", "io.osmhub.api.schema.MachineDeploymentEntry");
        types.put("Problem", "io.osmhub.api.schema.ProblemDetails");
        types.put("Source", "io.osmhub.api.schema.ConfigurationSource");
        types.put("WorkerCluster", "io.osmhub.api.schema.WorkerClusterEntry");
        types.put("UsedBy", "io.osmhub.api.schema.Osp$UsedBy");
        types.put("ObjectByName", "io.osmhub.api.schema.ObjectSource$ObjectByName");
        types.put("ObjectInFull", "io.osmhub.api.schema.ObjectSource$ObjectInFull");
        for (String name : List.of("Actor", "Category", "Severity")) {
            types.put(name, "io.osmhub.core.problem." + name);
        }
        types.put("StoredProblem", "io.osmhub.core.resource.StoredProblem");
        for (String name : List.of("WorkerClusterSpec", "WorkerClusterStatus")) {
            types.put(name, "io.osmhub.core.workercluster." + name);
        }
        for (String name : SETTINGS.keySet()) {
            types.put(name, JsonNode.class.getName());
        }
        types.put("CredentialSettings", "io.osmhub.core.workercluster.WorkerClusterSpec$Credentials");
        types.put("State", "io.osmhub.core.workercluster.WorkerClusterStatus$State");
        types.put("NewNodes", "io.osmhub.core.osc.OperatingSystemConfigStatus$NewNodes");
        types.put("Condition", "io.osmhub.core.resource.Condition");
        types.put("ConditionStatus", "io.osmhub.core.resource.Condition$Status");
        return types;
    }

    private static JsonNode contract() {
        try (InputStream text = ContractTest.class.getResourceAsStream("/openapi.yaml")) {
            byte[] bytes = Objects.requireNonNull(text).readAllBytes();
            return SourceDocument.json(YamlDocumentReader.read(
                            "openapi.yaml", new String(bytes, StandardCharsets.UTF_8), Reason.SettingsInvalid)
                    .getFirst()
                    .root());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
