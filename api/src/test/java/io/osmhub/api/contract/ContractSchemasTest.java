package io.osmhub.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContractSchemasTest {
    /** Each further copy of the document takes about 0.6 MB of heap, and the contract has more than 80 places with a schema. */
    @Test
    void allSchemasShareOneDocument() throws IOException {
        JsonNode document = contract();
        ContractSchemas schemas = new ContractSchemas(document);

        List<Schema> roots = document.at("/components/schemas")
                .propertyStream()
                .map(entry -> schemas.getSchema("/components/schemas/" + entry.getKey()))
                .map(validator -> validator.schema().findSchemaResourceRoot())
                .distinct()
                .toList();

        assertThat(roots).singleElement().extracting(Schema::getSchemaNode).isSameAs(document);
    }

    @Test
    void findsASchemaInAPathWithSlashes() throws IOException {
        JsonNode document = contract();
        String pointer = "/paths/~1render/post/requestBody/content/application~1json/schema";

        ContractSchemaValidator validator = new ContractSchemas(document).getSchema(pointer);

        assertThat(validator.schema().getSchemaNode()).isSameAs(document.at(pointer));
    }

    private static JsonNode contract() throws IOException {
        try (InputStream stream = ContractSchemasTest.class.getResourceAsStream("/openapi.yaml")) {
            return new YAMLMapper().readTree(stream);
        }
    }
}
