package io.osmhub.core.osc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecHashTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"b\":1,\"a\":[{\"d\":2,\"c\":3}]} | {\"a\":[{\"c\":3,\"d\":2}],\"b\":1}",
                "{\"a\":{\"x\":null},\"b\":null} | {\"a\":{}}",
                "{\"osName\":\"ubuntu\"} | {\"osName\":\"ubuntu\",\"provisioningUtility\":\"cloud-init\"}",
                "{\"c\":{\"files\":[{\"path\":\"/a\",\"permissions\":644}]}} | {\"c\":{\"files\":[{\"path\":\"/a\"}]}}",
                "{\"a\":1.0} | {\"a\":1}",
                "{\"a\":1e3} | {\"a\":1000}",
                "{\"a\":-0} | {\"a\":0}",
                "{\"a\":1.50} | {\"a\":1.5}",
                "{\"a\":\"\\u003cb\\/\\u00e9\"} | {\"a\":\"<b/é\"}",
                "{ \"a\" : [ 1 , 2 ] } | {\"a\":[1,2]}",
                "{\"a\":1,\"a\":2} | {\"a\":2}",
                "{\"a\":1,\"a\":null} | {}"
            })
    void isTheSameForWhatMeansTheSame(String one, String other) {
        assertThat(SpecHash.of(one)).isEqualTo(SpecHash.of(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1} | {\"a\":2}",
                "{\"a\":\"1\"} | {\"a\":1}",
                "{\"a\":[1,2]} | {\"a\":[2,1]}",
                "{\"a\":[]} | {}",
                "{\"a\":[null]} | {\"a\":[]}",
                "{\"a\":\"\"} | {}",
                "{\"a\":false} | {}",
                "{\"provisioningUtility\":\"ignition\"} | {}",
                "{\"c\":{\"files\":[{\"permissions\":755}]}} | {\"c\":{\"files\":[{}]}}",
                "{\"c\":{\"permissions\":644}} | {\"c\":{}}",
                "{\"a\":9007199254740993} | {\"a\":9007199254740992}",
                "{\"a\":{\"b\":1},\"c\":2} | {\"a\":{\"b\":1,\"c\":2}}"
            })
    void isAnotherForWhatMeansSomethingElse(String one, String other) {
        assertThat(SpecHash.of(one)).isNotEqualTo(SpecHash.of(other));
    }

    @Test
    void readsTextAsDeepAsAProviderSpecMayBe() {
        String deep = "[".repeat(1_000) + "]".repeat(1_000);

        assertThat(SpecHash.of("{\"cloudProvider\":{\"spec\":{\"a\":" + deep + "}}}"))
                .hasSize(64);
    }

    @Test
    void doesNotQuoteWhatItCannotRead() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpecHash.of("{\"password\":hunter2}"))
                .withMessageNotContaining("hunter2")
                .withNoCause();
    }
}
