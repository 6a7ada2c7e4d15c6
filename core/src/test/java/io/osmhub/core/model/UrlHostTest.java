package io.osmhub.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlHostTest {
    @ParameterizedTest
    @CsvSource({
        "https://a.example.org/x?y=z, a.example.org, ''",
        "https://user:pw@a_b:6443, a_b, 6443",
        "https://[fd00::1]:6443/x, fd00::1, 6443",
        "https://a:, a, ''",
        "//a/b, a, ''",
        "reg:5000, '', ''",
        "x/y, '', ''"
    })
    void readsHostAndPort(String url, String name, String port) {
        UrlHost host = Objects.requireNonNull(UrlHost.parse(url));

        assertThat(host.name()).isEqualTo(name);
        assertThat(host.port()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a b", "https://a:port", "https://[::1", "https://a%41", ":x"})
    void rejectsInvalidUrls(String url) {
        assertThat(UrlHost.parse(url)).isNull();
    }
}
