package io.osmhub.core.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.resource.ShippedDefinition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelExpressionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.10.10.10",
                "0.0.0.0",
                "255.255.255.255",
                "::",
                "::1",
                "fd00::a",
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:1.2.3.4",
                "::1.2.3.4",
                "2001:DB8::",
                "64:ff9b::1.2.3.4"
            })
    void isAnIpAddress(String text) {
        assertThat(holds("isIP(self)", text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.300",
                "10.0.0",
                "10.0.0.01",
                "1.2.3.4.5",
                "1.2.3.4 ",
                "fe80::1%eth0",
                "::ffff:1.2.3.4",
                "::ffff:102:304",
                "0:0:0:0:0:ffff:1.2.3.4",
                "1::2::3",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7::8",
                "12345::",
                "1.2.3.4::",
                "host"
            })
    void isNoIpAddress(String text) {
        assertThat(holds("isIP(self)", text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.example.org, a.example.org",
        "https://a.example.org:6443/x?y=z, a.example.org",
        "https://[fd00::1]:6443/clusters/root:blue, fd00::1",
        "http://user:pw@proxy:3128, proxy",
        "https:///path, ''",
        "/only/a/path, ''",
        "file:///etc, ''",
    })
    void isAUrlWithHost(String text, String host) {
        assertThat(holds("isURL(self) && url(self).getHostname() == '" + host + "'", text))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mirror.example.org",
                "mailto:a",
                "https://",
                "https://a b",
                "https://a:port",
                "https://[::1",
                "https://[x]",
                "https://a/%zz",
                ":x",
                "1http://a",
                "https://a%41",
                "https://a\tb",
                "https://<host>^"
            })
    void isNoUrl(String text) {
        assertThat(holds("isURL(self)", text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '"',
            value = {
                "self.a == 1 && self.b != 'x' => true",
                "self.a == 2 || !(self.b == 'y') => false",
                "has(self.a) && !has(self.c) => true",
                "!has(self.c) || self.c >= self.a => true",
                "self.a < 2 && self.a <= 1 && self.a > 0 && self.a >= 1 => true",
                "self.b in ['x', 'y'] => true",
                "self.all(key, key.matches('^[a-z]$')) => true",
                "self.all(key, key == 'a') => false",
                "[has(self.a), has(self.c)].filter(set, set).size() == 1 => true",
                "self.b.size() == 1 && self.d.contains('ell') && self.d.startsWith('h') => true",
                "duration(self.e) > duration('59s') => true",
                "self == oldSelf => true",
            })
    void evaluatesAsTheApiServer(String rule, boolean result) throws JsonProcessingException {
        JsonNode self = new ObjectMapper().readTree("{\"a\":1,\"b\":\"y\",\"d\":\"hello\",\"e\":\"1m\"}");

        assertThat(CelExpression.holds(rule, self, null)).isEqualTo(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"self +", "self.a", "lower(self)", "self ? 1 : 2", "(self == 'a'", "self == \"a\""})
    void anUnsupportedRuleIsAnError(String rule) {
        assertThatThrownBy(() -> holds(rule, "a")).isInstanceOf(RuntimeException.class);
    }

    /** A rule of a definition that is not supported fails here, not for a user. */
    @ParameterizedTest
    @EnumSource
    void everyRuleOfTheDefinitionsIsSupported(ShippedDefinition definition) {
        assertThat(definition.schema().findValuesAsText("rule"))
                .filteredOn(rule -> !rule.isEmpty())
                .allSatisfy(CelExpression::compile);
    }

    private static boolean holds(String rule, String text) {
        return CelExpression.holds(rule, TextNode.valueOf(text), null);
    }
}
