package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionWarningsTest {
    @ParameterizedTest
    @CsvSource({
        "v1.27.9, true",
        "v1.28.0, false",
        "v1.34.1+k3s1, false",
        "v0.21.0, true",
        "v0.0.0-master+$Format:%H$, false",
        "'', false"
    })
    void aVersionThatIsNotKnownIsNotOld(String version, boolean old) {
        assertThat(ConnectionWarnings.isOld(version)).isEqualTo(old);
    }
}
