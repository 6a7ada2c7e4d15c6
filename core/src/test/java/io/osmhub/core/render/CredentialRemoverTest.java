package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialRemoverTest {
    private static final String GONE = "\"<redacted:provider-spec>\"";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"password\":\"x\"} | {\"password\":GONE}",
                "{\"PassWord\":12} | {\"PassWord\":GONE}",
                "{\"a\":[{\"token\":\"x\"}]} | {\"a\":[{\"token\":GONE}]}",
                "{\"clientSecret\":{\"value\":\"x\"}} | {\"clientSecret\":{\"value\":GONE}}",
                "{\"clientSecret\":{\"Value\":\"x\",\"secretKeyRef\":{\"name\":\"n\"}}} | {\"clientSecret\":{\"Value\":GONE,\"secretKeyRef\":{\"name\":\"n\"}}}",
                // Decoders compare these letters as equal to s and I.
                "{\"pa\u017fsword\":\"x\"} | {\"pa\u017fsword\":GONE}",
                "{\"tokenİd\":\"x\"} | {\"tokenİd\":GONE}",
                "{\"token\":{\"other\":\"x\"}} | {\"token\":GONE}",
                "{\"token\":[\"x\"]} | {\"token\":GONE}",
                "{\"auth\":{\"kubeconfig\":\"x\"}} | {\"auth\":{\"kubeconfig\":GONE}}"
            })
    void putsAPlaceholderInPlaceOfACredential(String json, String redacted) {
        assertThat(CredentialRemover.redact(json)).isEqualTo(redacted.replace("GONE", GONE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ \"region\" : \"x\",  \"size\": 1.50 }",
                "{\"password\":\"\"}",
                "{\"password\":null}",
                "{\"password\":{\"secretKeyRef\":{\"namespace\":\"ns\",\"name\":\"n\",\"key\":\"password\"}}}",
                "{\"kubeconfig\":\"not below auth\"}"
            })
    void leavesATextWithoutCredentialAsItIs(String json) {
        assertThat(CredentialRemover.redact(json)).isSameAs(json);
    }

    @Test
    void keepsTheDigitsOfNumbers() {
        assertThat(CredentialRemover.redact("{\"token\":\"x\",\"price\":0.12345678901234567890123}"))
                .contains("0.12345678901234567890123");
    }
}
