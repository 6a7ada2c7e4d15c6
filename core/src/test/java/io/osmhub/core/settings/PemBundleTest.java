package io.osmhub.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PemBundleTest {
    private static final String ONE = TestCertificate.PEM;
    private static final String OTHER = """
        -----BEGIN CERTIFICATE-----
        MIIBPDCB76ADAgECAhRV3mxgF7hIAtfhw0+4vrP1ALfUTzAFBgMrZXAwEzERMA8G
        A1UEAwwIb3RoZXItY2EwIBcNMjYxMTIyMTYzMDQ5WhgPMjEyNjEwMjkxNjMwNDla
        MBMxETAPBgNVBAMMCG90aGVyLWNhMCowBQYDK2VwAyEA2gGMPTly8WmCZgCn4Ryw
        Y8rVydaV0duzClwH50y5uzOjUzBRMB0GA1UdDgQWBBTn4UVh5aeq2WJCe39rqXds
        2hhiYzAfBgNVHSMEGDAWgBTn4UVh5aeq2WJCe39rqXds2hhiYzAPBgNVHRMBAf8E
        BTADAQH/MAUGAytlcANBANQNHo+5TK5/YUzQkhF+8Lk8svZIKwLT2PqwbwhDrSmz
        YuOgPSjZopkSYgPaTURkdrSIpKcRZvWcBrg4ifLlxgk=
        -----END CERTIFICATE-----
        """;
    private static final String KEY = TestCertificate.KEY;
    private static final String KEY_CONTENT = KEY.lines().toList().get(1);

    @ParameterizedTest
    @ValueSource(strings = {"%1$s", "%1$s%2$s", "\n%1$s\n\n%2$s\n", " %1$s"})
    void keepsEveryByteOfATextOfCertificatesAndWhiteSpace(String form) {
        String pem = form.formatted(ONE, OTHER);

        assertThat(PemBundle.certificatesOnly(pem)).isEqualTo(pem);
        assertThat(PemBundle.certificatesOnly(pem.replace("\n", "\r\n"))).isEqualTo(pem.replace("\n", "\r\n"));
    }

    @ParameterizedTest
    @MethodSource("besideAKey")
    void passesOnTheCertificatesAndNotWhatStandsBesideThem(String pem) {
        String certificates = PemBundle.certificatesOnly(pem);

        assertThat(certificates).isEqualTo(ONE + OTHER).doesNotContain(KEY_CONTENT);
        assertThat(PemBundle.certificates(pem)).hasSize(2);
    }

    static List<String> besideAKey() {
        return List.of(
                KEY + ONE + OTHER,
                ONE + KEY + OTHER,
                ONE + OTHER + KEY,
                ONE + OTHER + KEY.replace("PRIVATE KEY", "CERTIFICATE"),
                ONE + OTHER + KEY_CONTENT,
                "token: " + KEY_CONTENT + "\n" + ONE + "# comment\n" + OTHER,
                ONE.replace("-----END", KEY_CONTENT + "\n-----END") + ONE + OTHER,
                ONE.replace("CATE-----\nMII", "CATE-----\nKey: " + KEY_CONTENT + "\n\nMII") + ONE + OTHER,
                KEY.replace("-----END PRIVATE KEY-----", "") + ONE + OTHER,
                "-----BEGIN CERTIFICATE-----\n" + KEY_CONTENT + "\n" + ONE + OTHER);
    }

    @Test
    void keepsCommentsOfATextInTheSettingsOnly() {
        String commented = "# before\n" + ONE + "# between\n" + OTHER;

        assertThat(PemBundle.certificatesAndComments(commented)).isEqualTo(commented);
        assertThat(PemBundle.certificatesAndComments(commented + KEY)).isEqualTo(ONE + OTHER);
        assertThat(PemBundle.certificatesOnly(commented)).isEqualTo(ONE + OTHER);
    }

    @Test
    void refusesMoreCertificatesThanItReads() {
        assertThat(PemBundle.findError(ONE.repeat(512))).isNull();
        assertThat(PemBundle.findError(ONE.repeat(513))).isEqualTo("holds more than 512 certificates");
        assertThat(PemBundle.findError(KEY)).isEqualTo("holds no valid certificate");
    }

    @Test
    void passesOnNothingOfATextWithoutACertificate() {
        String nested = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getEncoder().encodeToString(new byte[] {0x30, (byte) 0x80, 0x30, (byte) 0x80})
                + "\n-----END CERTIFICATE-----\n";

        assertThat(PemBundle.certificatesOnly(KEY)).isEmpty();
        assertThat(PemBundle.certificatesOnly(nested)).isEmpty();
        assertThat(PemBundle.certificatesOnly("")).isEmpty();
    }
}
