package io.osmhub.tenancy.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.catalog.ConfigCache.ConfigDecoder;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.watch.ObjectDecoder;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigCacheTest {
    private static final String METADATA = """
            "metadata":{"name":"one","namespace":"ns","uid":"u","resourceVersion":"7","generation":2,\
            "annotations":{"a":"b"}}""";
    private static final String SPEC = "{\"osName\":\"ubuntu\",\"cloudProvider\":{\"name\":\"aws\"}}";

    @Test
    void readsFieldsInAnyOrder() throws IOException {
        StoredConfig first = read("{" + METADATA + ",\"spec\":" + SPEC + "}");
        StoredConfig last = read("{\"spec\":" + SPEC + "," + METADATA + "}");

        assertThat(first).isEqualTo(last);
        assertThat(first.contentHash()).isEqualTo(SpecHash.of(SPEC));
        assertThat(first.uid()).isEqualTo("u");
        assertThat(first.generation()).isEqualTo(2);
        assertThat(first.annotations()).containsOnlyKeys("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"spec\":null,", "\"spec\":[{\"a\":1}],", "\"spec\":{},"})
    void anObjectWithoutSpecCountsAsEmpty(String spec) throws IOException {
        assertThat(read("{" + spec + METADATA + "}").contentHash()).isEqualTo(SpecHash.of("{}"));
    }

    @ParameterizedTest
    @CsvSource({"u, 2, true", "u, 3, false", "v, 2, false"})
    void theSpecOfTheSameGenerationIsNotReadAgain(String uid, long generation, boolean reused) throws IOException {
        ObjectDecoder<ListedConfig> decoder = new ConfigDecoder();
        ListedConfig earlier = decode(decoder, "{" + METADATA + ",\"spec\":" + SPEC + "}", null);

        ListedConfig later = decode(decoder, """
                {"metadata":{"name":"one","namespace":"ns","uid":"%s","resourceVersion":"8","generation":%d},\
                "spec":{"osName":"flatcar"},"status":{"observedGeneration":2}}""".formatted(uid, generation), earlier);

        assertThat(later.osName()).isEqualTo(reused ? "ubuntu" : "flatcar");
        assertThat(later.cloudProvider()).isEqualTo(reused ? "aws" : "");
        assertThat(later.config().contentHash()).isEqualTo(SpecHash.of(reused ? SPEC : "{\"osName\":\"flatcar\"}"));
        assertThat(later.config().resourceVersion()).isEqualTo("8");
        assertThat(later.config().annotations()).isEmpty();
        assertThat(later.config().status()).isNotNull();
    }

    @Test
    void withoutGenerationsTheSpecIsReadAgain() throws IOException {
        ObjectDecoder<ListedConfig> decoder = new ConfigDecoder();
        String object = "{\"metadata\":{\"name\":\"one\",\"uid\":\"u\"},\"spec\":{\"osName\":\"%s\"}}";
        ListedConfig earlier = decode(decoder, object.formatted("ubuntu"), null);

        assertThat(decode(decoder, object.formatted("flatcar"), earlier).osName())
                .isEqualTo("flatcar");
    }

    private static ListedConfig decode(ObjectDecoder<ListedConfig> decoder, String json, @Nullable ListedConfig earlier)
            throws IOException {
        try (JsonParser parser = WireJson.parse(json.getBytes(UTF_8))) {
            ListedConfig decoded =
                    (earlier == null ? decoder.decode(parser) : decoder.decode(parser, earlier)).object();
            assertThat(parser.currentToken()).isEqualTo(JsonToken.END_OBJECT);
            return Objects.requireNonNull(decoded);
        }
    }

    private static StoredConfig read(String json) throws IOException {
        return ConfigCache.read(WireJson.read(json.getBytes(UTF_8)));
    }
}
