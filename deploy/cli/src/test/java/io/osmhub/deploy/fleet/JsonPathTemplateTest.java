package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPathTemplateTest {
    /** The object of kubectl's reference of JSONPath. */
    private static final String OBJECT = """
            {"kind": "List", "items": [
            {"kind": "None", "metadata": {"name": "127.0.0.1", "labels": {"kubernetes.io/hostname": "one"}},
            "status": {"capacity": {"cpu": "4"}, "addresses": [{"type": "LegacyHostIP", "address": "127.0.0.1"}]}},
            {"kind": "None", "metadata": {"name": "127.0.0.2"},
            "status": {"capacity": {"cpu": "8"}, "addresses": [{"type": "A", "address": "127.0.0.2"},
            {"type": "B", "address": "127.0.0.3"}]}}],
            "users": [{"name": "myself", "user": {}}, {"name": "e2e", "user": {"username": "admin", "password": "p"}}]}""";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "the kind is {.kind} | the kind is List",
                "{.kind}{['kind']} | ListList",
                "{..name} | 127.0.0.1 127.0.0.2 myself e2e",
                "{.items[*].metadata.name} | 127.0.0.1 127.0.0.2",
                "{.users[0].name} | myself",
                "{.users[-1].name} | e2e",
                "{.users[0:1].name} | myself",
                "{.items[*]['metadata.name', 'kind']} | None None",
                "{.users[?(@.name==\"e2e\")].user.password} | p",
                "{.users[?(@.user.username)].name} | e2e",
                "{.items[?(@.status.capacity.cpu > 4)].metadata.name} | 127.0.0.2",
                "{range .items[*]}[{.metadata.name}, {.status.capacity.cpu}] {end} | [127.0.0.1, 4] [127.0.0.2, 8]",
                "{range .items[*]}{.metadata.name}{\":\"}{range .status.addresses[*]}{.type},{end}{end} |"
                        + " 127.0.0.1:LegacyHostIP,127.0.0.2:A,B,",
                "{.items[0].metadata.labels.kubernetes\\.io/hostname} | one",
                "{.users[1].user} | {\"username\":\"admin\",\"password\":\"p\"}",
                "{.users[*].missing}x | x",
                "{$.kind} | List",
            })
    void printsWhatKubectlPrints(String template, String printed) throws Exception {
        assertThat(JsonPathTemplate.parse(template)
                        .print(new ObjectMapper().readTree(OBJECT))
                        .strip())
                .isEqualTo(printed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{range .items[*]}{.kind} | expected {end}",
                "{end} | {end} without {range}",
                "{.items[} | expected an index",
                "{.items[0} | expected ]",
                "{kind} | expected a path",
                "{\"x} | expected \"",
                "{.users[5].name} | array index out of bounds: index 5, length 2",
            })
    void explainsAnUnusableTemplate(String template, String message) throws Exception {
        assertThatThrownBy(() -> JsonPathTemplate.parse(template).print(new ObjectMapper().readTree(OBJECT)))
                .isInstanceOf(FleetFailure.class)
                .hasMessageContaining(message);
    }
}
