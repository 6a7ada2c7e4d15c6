package io.osmhub.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelSelectorTest {
    private static final Map<String, String> LABELS = Map.of("osmhub.io/tier", "lab", "env", "prod", "empty", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | true",
                "osmhub.io/tier=lab | true",
                "osmhub.io/tier == lab | true",
                "osmhub.io/tier=prod | false",
                "osmhub.io/tier!=prod | true",
                "absent!=prod | true",
                "env in (dev, prod) | true",
                "env in (dev) | false",
                "env notin (dev) | true",
                "absent notin (dev) | true",
                "absent in (dev) | false",
                "env | true",
                "absent | false",
                "!absent | true",
                "! env | false",
                "empty= | true",
                "empty in (,x) | true",
                "env=prod,osmhub.io/tier in (lab,test) | true",
                "env=prod,osmhub.io/tier=prod | false",
            })
    void selectsAsKubectlDoes(String text, boolean matches) {
        LabelSelector selector = LabelSelector.parse(text);

        assertThat(selector).isNotNull();
        assertThat(selector != null && selector.matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=x",
                "a=b=c",
                "a in b",
                "a in (b",
                "a b",
                "a,,b",
                "a,",
                "-a",
                "a-",
                "a=b c",
                "UPPER.example/",
                "a/b/c",
                "Prefix/a",
                "a in (b d)",
                "!a=b",
                "a=é"
            })
    void refusesWhatIsNoSelector(String text) {
        assertThat(LabelSelector.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=b", "a!=b", "a", "!a", "x.io/a in (b,c)", "a notin (b,c),d=e"})
    void writesItselfAsItIsRead(String text) {
        assertThat(LabelSelector.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 2000})
    void refusesKeysThatAreTooLong(int length) {
        assertThat(LabelSelector.parse("a".repeat(length))).isNull();
    }
}
