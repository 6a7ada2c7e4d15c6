package io.osmhub.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelFunctionsTest {
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
        assertThat(CelFunctions.isIp(text)).isTrue();
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
        assertThat(CelFunctions.isIp(text)).isFalse();
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
        assertThat(CelFunctions.hostOfUrl(text)).isEqualTo(host);
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
        assertThat(CelFunctions.isUrl(text)).isFalse();
    }
}
