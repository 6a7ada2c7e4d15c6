package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.render.CredentialRemover.ProviderSpecRedactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderSpecRedactorTest {
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
                "{\"token\":{\"other\":\"x\"}} | {\"token\":GONE}",
                "{\"token\":[\"x\"]} | {\"token\":GONE}",
                "{\"auth\":{\"kubeconfig\":\"x\"}} | {\"auth\":{\"kubeconfig\":GONE}}"
            })
    void putsAPlaceholderInPlaceOfACredential(String json, String redacted) {
        assertThat(ProviderSpecRedactor.redact(json)).isEqualTo(redacted.replace("GONE", GONE));
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
        assertThat(ProviderSpecRedactor.redact(json)).isSameAs(json);
    }

    @Test
    void keepsTheDigitsOfNumbers() {
        assertThat(ProviderSpecRedactor.redact("{\"token\":\"x\",\"price\":0.12345678901234567890123}"))
                .contains("0.12345678901234567890123");
    }
}
