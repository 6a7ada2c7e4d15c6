package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import com.networknt.schema.path.PathType;

/**
 * Schema validation by a library. Patterns use RE2, because the JDK's matcher needs superlinear time or stack. All schemas are parts
 * of one root: the library would otherwise read the whole document again for each.
 */
final class ContractSchemas {
    private static final String CONTRACT = "https://osmhub.io/contract";

    private final JsonNode document;
    private final Schema rootSchema;

    ContractSchemas(JsonNode document) {
        this.document = document;
        // The contract's own keywords (paths, x-...) are not JSON Schema; the library would warn about each.
        Dialect dialect = Dialect.builder(Dialects.getDraft202012())
                .unknownKeywordFactory((keyword, context) -> new NonValidationKeyword(keyword))
                .build();
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .formatAssertionsEnabled(true)
                .pathType(PathType.JSON_POINTER)
                .preloadSchema(false)
                .regularExpressionFactory(pattern -> {
                    Pattern compiled = Pattern.compile(pattern);
                    return text -> compiled.matcher(text).find();
                })
                .build();
        rootSchema = SchemaRegistry.withDialect(dialect, builder -> builder.schemaRegistryConfig(config))
                .getSchema(SchemaLocation.of(CONTRACT), document);
    }

    /** The schema at a JSON pointer of the contract. */
    ContractSchemaValidator getSchema(String pointer) {
        return new ContractSchemaValidator(
                rootSchema.getRefSchema(
                        SchemaLocation.of(CONTRACT + "#" + pointer).getFragment()),
                document);
    }
}
