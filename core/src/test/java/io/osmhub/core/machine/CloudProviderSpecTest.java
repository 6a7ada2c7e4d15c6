package io.osmhub.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.Kind;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.ResolveResult;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudProviderSpecTest {
    private static final String TO_SECRET = "{\"secretKeyRef\":{\"namespace\":\"ns\",\"name\":\"s\",\"key\":\"KEY\"}}";
    private static final ReferenceResolver CLUSTER = reference -> {
        if (reference.name().equals("hidden")) {
            return new ResolveResult.Forbidden();
        }
        if (!reference.name().equals("s")) {
            return new ResolveResult.NoObject();
        }
        return switch (reference.key()) {
            case "yes" -> new ResolveResult.Found("T");
            case "word" -> new ResolveResult.Found(reference.kind() == Kind.SECRET ? "secret" : "config");
            case "empty" -> new ResolveResult.Found("");
            default -> new ResolveResult.NoKey();
        };
    };

    private static CloudProviderSpec spec(String json, Map<String, String> environment) {
        MachineDeployment machineDeployment =
                MachineDeployment.of("ns", "md", Map.of(), "1.28.0", "{\"cloudProviderSpec\":" + json + "}");
        ProviderConfig config = ProviderConfig.decode(machineDeployment).strict();
        return CloudProviderSpec.of(machineDeployment, config, CLUSTER, environment);
    }

    private static CloudProviderSpec field(String json) {
        return spec("{\"field\":" + json + "}", Map.of("VARIABLE", "true"));
    }

    private static String secret(String key) {
        return TO_SECRET.replace("KEY", key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\\n\\u0041\\\"\" | a<LF>A\"",
                "12.50 | 12.50",
                "null | null",
                "true | true",
                "{\"value\":\"v\"} | v",
                "{\"VALUE\":\"v\",\"unknown\":5} | v",
                "{\"value\":\"v\",\"secretKeyRef\":{\"name\":\"s\",\"key\":\"word\"}} | v",
                "{\"value\":\"v\",\"secretKeyRef\":{\"namespace\":\"ns\",\"name\":\"s\",\"key\":\"word\",\"kind\":7}} | secret",
                "{\"configMapKeyRef\":{\"namespace\":\"ns\",\"name\":\"s\",\"key\":\"word\"}} | config"
            })
    void readsAllFormsOfAString(String json, String value) {
        assertThat(field(json).text("field")).isEqualTo(value.replace("<LF>", "\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\\/b\"", "\"\\ud83d\\ude00\"", "[\"a\"]", "{\"value\":5}", "{\"secretKeyRef\":\"s\"}"})
    void refusesWhatThePeerCannotDecode(String json) {
        assertThatThrownBy(() -> field(json).text("field"))
                .isInstanceOf(TenantMistake.class)
                .hasMessageContaining("cloudProviderSpec.field");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nowhere | error retrieving secret 'nowhere' from namespace 'ns': not found",
                "s | secret 's' in namespace 'ns' has no key 'key'",
                "hidden | the hub may not read secret 'hidden' in namespace 'ns'"
            })
    void aReferenceThatLeadsNowhereIsAMistakeUnlessThereIsAnEnvironment(String name, String message) {
        CloudProviderSpec spec =
                field(TO_SECRET.replace("\"s\"", "\"" + name + "\"").replace("KEY", "key"));

        assertThatThrownBy(() -> spec.text("field")).hasMessageContaining(message);
        assertThat(spec.textOrEnvironment("field", "VARIABLE")).isEqualTo("true");
        assertThat(spec.textOrEnvironment("field", "UNSET")).isEmpty();
    }

    @Test
    void anEmptyTextGoesOnToTheEnvironment() {
        assertThat(field(secret("empty")).textOrEnvironment("field", "VARIABLE"))
                .isEqualTo("true");
        assertThat(field("\"\"").textOrEnvironment("field", "VARIABLE")).isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | true | true",
                "false | false | false",
                "null | false | true",
                "{} | false | true",
                "{\"value\":null} | false | true",
                "{\"value\":false} | false | false"
            })
    void readsAllFormsOfABoolean(String json, boolean value, boolean orEnvironment) {
        assertThat(field(json).bool("field")).isEqualTo(value);
        assertThat(field(json).boolOrEnvironment("field", "VARIABLE")).isEqualTo(orEnvironment);
    }

    @Test
    void readsABooleanBehindAReferenceInGosSpellings() {
        assertThat(field(secret("yes")).bool("field")).isTrue();
        for (String key : List.of("word", "empty")) {
            assertThatThrownBy(() -> field(secret(key)).bool("field")).hasMessageContaining("field: is not a boolean");
            assertThat(field(secret(key)).boolOrEnvironment("field", "VARIABLE"))
                    .isTrue();
        }
        assertThatThrownBy(() -> spec("{}", Map.of("VARIABLE", "maybe")).boolOrEnvironment("field", "VARIABLE"))
                .hasMessageContaining("is not a boolean");
        assertThatThrownBy(() -> field("\"true\"").bool("field"))
                .hasMessageContaining("json: cannot unmarshal string into Go value of type bool");
    }

    @Test
    void looksAtTheFormOfWhatIsNotNeeded() {
        CloudProviderSpec spec = spec("{\"unused\":{\"value\":5},\"flag\":\"x\"}", Map.of());

        assertThatThrownBy(() -> spec.requireTypes(List.of("unused"), List.of()))
                .hasMessageContaining("unused");
        assertThatThrownBy(() -> spec.requireTypes(List.of(), List.of("flag"))).hasMessageContaining("flag");
        spec.requireTypes(List.of("flag"), List.of("absent"));
    }

    @Test
    void readsWhatCannotBeAReference() {
        assertThat(field("7").unsigned("field")).isEqualTo(7);
        assertThat(field("null").unsigned("field")).isZero();
        assertThat(field("false").plainBool("field")).isFalse();
        assertThat(field("null").plainBool("field")).isNull();
        assertThat(field("[\"a\",null]").plainTexts("field")).containsExactly("a", "");
        for (String wrong : List.of("-1", "1.5", "\"7\"", "{}")) {
            assertThatThrownBy(() -> field(wrong).unsigned("field")).isInstanceOf(TenantMistake.class);
            assertThatThrownBy(() -> field(wrong).plainBool("field")).isInstanceOf(TenantMistake.class);
            assertThatThrownBy(() -> field(wrong).plainTexts("field")).isInstanceOf(TenantMistake.class);
        }
    }

    @Test
    void wantsAnObject() {
        assertThatThrownBy(() -> spec("null", Map.of()))
                .hasMessageContaining("CloudProviderSpec in the MachineDeployment cannot be empty");
        assertThatThrownBy(() -> spec("[]", Map.of())).hasMessageContaining("use an object");
        assertThat(spec("{\"auth\":{\"kubeconfig\":\"x\"}}", Map.of())
                        .object("auth")
                        .directText("kubeconfig"))
                .isEqualTo("x");
        assertThat(spec("{}", Map.of()).object("auth").directText("kubeconfig")).isEmpty();
    }
}
