package io.osmhub.tenancy.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.wire.WireJson;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigCacheTest {
    private static final String METADATA =
            """
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

    private static StoredConfig read(String json) throws IOException {
        return ConfigCache.read(WireJson.read(json.getBytes(UTF_8)));
    }
}
