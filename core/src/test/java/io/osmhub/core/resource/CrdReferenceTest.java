package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CrdReferenceTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** With UPDATE=true the files are rewritten first; the diff is the review. */
    private static final boolean UPDATE = Boolean.getBoolean("osmhub.update");

    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", ".."));

    @Test
    void theReferenceListsEveryField() throws IOException {
        Path page = ROOT.resolve("docs/reference/crds.md");
        StringBuilder tables = new StringBuilder();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            JsonNode spec = definition.manifest().path("spec");
            tables.append("\n## ")
                    .append(spec.path("names").path("kind").asText())
                    .append("\n\n`")
                    .append(spec.path("group").asText())
                    .append("/v1alpha1`, `kubectl get ")
                    .append(spec.path("names").path("plural").asText())
                    .append("`\n\n| field | type | meaning |\n|---|---|---|\n");
            appendFields(tables, "", spec.at("/versions/0/schema/openAPIV3Schema"));
        }
        String text = Files.readString(page);
        String expected = text.substring(0, text.indexOf("\n## ")) + tables;
        if (UPDATE) {
            Files.writeString(page, expected);
        }

        assertThat(Files.readString(page))
                .as("run: UPDATE=true ./hub test core CrdReferenceTest")
                .isEqualTo(expected);
    }

    private static void appendFields(StringBuilder table, String prefix, JsonNode schema) {
        schema.path("properties").properties().forEach(field -> {
            JsonNode value = field.getValue();
            String path = prefix + field.getKey();
            if (prefix.isEmpty() && !path.equals("spec") && !path.equals("status")) {
                return; // apiVersion, kind and metadata are those of every object
            }
            boolean list = value.has("items");
            JsonNode element = list ? value.get("items") : value;
            String type =
                    element.path("type").asText(element.has("x-kubernetes-int-or-string") ? "int or string" : "any");
            table.append("| `%s` | %s | %s |\n"
                    .formatted(
                            path,
                            (list ? "list of " : "") + type,
                            value.path("description")
                                    .asText()
                                    .strip()
                                    .replaceAll("\\s+", " ")
                                    .replace("|", "\\|")));
            appendFields(table, path + (list ? "[]." : "."), element);
            if (element.path("additionalProperties").isObject()) {
                appendFields(table, path + ".*.", element.get("additionalProperties"));
            }
        });
    }

    /** The records that the hub reads and writes have the fields and values of the definitions. */
    @ParameterizedTest
    @MethodSource("records")
    void aRecordHasTheFieldsOfItsDefinition(Class<?> type, ShippedDefinition definition, String path) {
        List<String> differences = new ArrayList<>();
        compare(JSON.constructType(type), definition.schema().at(path), path, differences);

        assertThat(differences).isEmpty();
    }

    static Stream<Arguments> records() {
        return Stream.of(
                Arguments.of(WorkerClusterSpec.class, ShippedDefinition.WORKER_CLUSTERS, "/properties/spec"),
                Arguments.of(WorkerClusterStatus.class, ShippedDefinition.WORKER_CLUSTERS, "/properties/status"),
                Arguments.of(TenantSettings.class, ShippedDefinition.WORKER_CLUSTERS, "/properties/spec"),
                Arguments.of(
                        OperatingSystemProfileStatus.class,
                        ShippedDefinition.OPERATING_SYSTEM_PROFILES,
                        "/properties/status"),
                Arguments.of(ProfileExtension.Status.class, ShippedDefinition.PROFILE_EXTENSIONS, "/properties/status"),
                Arguments.of(
                        OperatingSystemConfigStatus.class,
                        ShippedDefinition.OPERATING_SYSTEM_CONFIGS,
                        "/properties/status"));
    }

    private static void compare(JavaType type, JsonNode schema, String path, List<String> differences) {
        if (schema.has("enum") && type.isEnumType()) {
            Set<String> constants = new TreeSet<>();
            for (Object constant : type.getRawClass().getEnumConstants()) {
                constants.add(JSON.convertValue(constant, String.class));
            }
            check(path, constants, values(schema.get("enum")), differences);
        } else if (schema.has("items")) {
            compare(type.getContentType(), schema.get("items"), path + "[]", differences);
        } else if (schema.has("properties") && type.isRecordType()) {
            // A creator's parameters, or the components.
            Map<String, JavaType> fields = new TreeMap<>();
            JSON.getDeserializationConfig().introspect(type).findProperties().stream()
                    .filter(BeanPropertyDefinition::hasConstructorParameter)
                    .forEach(field -> fields.put(field.getName(), field.getPrimaryType()));
            Set<String> wanted = new TreeSet<>();
            schema.get("properties").fieldNames().forEachRemaining(wanted::add);
            // A tenant's settings are a part of the spec.
            wanted.removeIf(name -> type.hasRawClass(TenantSettings.class) && !fields.containsKey(name));
            // A default of the registry's credentials: only OSM's flags name another namespace.
            fields.keySet().removeIf(name -> type.hasRawClass(SecretName.class) && name.equals("namespace"));
            check(path, fields.keySet(), wanted, differences);
            fields.forEach((name, field) ->
                    compare(field, schema.get("properties").path(name), path + "." + name, differences));
        }
    }

    private static Set<String> values(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void check(String path, Set<String> ours, Set<String> wanted, List<String> differences) {
        if (!ours.equals(wanted)) {
            differences.add(path + " has " + ours + " for " + wanted);
        }
    }
}
