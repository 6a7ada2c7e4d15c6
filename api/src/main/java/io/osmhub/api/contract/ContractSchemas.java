package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.util.List;
import java.util.Map;

/** Schema validation by a library. Patterns use RE2, because the JDK's matcher needs superlinear time or stack. */
final class ContractSchemas {
    private static final String CONTRACT = "https://osmhub.io/contract";

    /** Document keywords that are not JSON Schema; the library would warn about each. */
    private static final List<String> BESIDE_SCHEMAS =
            List.of("openapi", "info", "servers", "security", "tags", "paths", "components");

    private final JsonNode document;
    private final JsonSchemaFactory factory;
    private final SchemaValidatorsConfig config;

    ContractSchemas(JsonNode document) {
        this.document = document;
        String whole = document.toString();
        JsonMetaSchema dialect = JsonMetaSchema.builder(JsonMetaSchema.getV202012())
                .keywords(BESIDE_SCHEMAS.stream().map(NonValidationKeyword::new).toList())
                .build();
        factory = JsonSchemaFactory.getInstance(VersionFlag.V202012, builder -> builder.metaSchema(dialect)
                .schemaLoaders(loaders -> loaders.schemas(Map.of(CONTRACT, whole))));
        config = SchemaValidatorsConfig.builder()
                .formatAssertionsEnabled(true)
                .pathType(PathType.JSON_POINTER)
                .preloadJsonSchema(false)
                .regularExpressionFactory(pattern -> {
                    Pattern compiled = Pattern.compile(pattern);
                    return text -> compiled.matcher(text).find();
                })
                .build();
    }

    /** The schema at a JSON pointer of the contract. */
    ContractSchemaValidator getSchema(String pointer) {
        JsonSchema schema = factory.getSchema(SchemaLocation.of(CONTRACT + "#" + pointer), config);
        return new ContractSchemaValidator(schema, document);
    }
}
