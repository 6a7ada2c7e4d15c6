package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Functions.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.sprig.SprigPrivateKeys.SprigPemBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.operator.DefaultDigestAlgorithmIdentifierFinder;
import org.bouncycastle.operator.bc.BcECContentVerifierProviderBuilder;
import org.bouncycastle.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateFunctionsTest {
    private static final GoValue NONE = new GoSlice(GoType.LIST, null);

    private final Functions functions = new Functions(CertificateFunctions::addTo);

    private GoString key(String kind) throws GoCallException {
        return (GoString) functions.call("genPrivateKey", GoString.of(kind));
    }

    private static X509Certificate certificate(GoValue struct) throws CertificateException {
        byte[] pem = field(struct, 0).getBytes(StandardCharsets.US_ASCII);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    private static GoValue list(String... items) {
        return GoSlice.of(List.copyOf(List.of(items).stream().map(GoString::of).toList()));
    }

    private static GoString base64(String text) {
        return GoString.of(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @CsvSource({
        "rsa,RSA PRIVATE KEY",
        "'',RSA PRIVATE KEY",
        "dsa,DSA PRIVATE KEY",
        "ecdsa,EC PRIVATE KEY",
        "ed25519,PRIVATE KEY"
    })
    void makesPrivateKeysInGosForms(String kind, String type) throws GoCallException {
        String pem = key(kind).bytes();

        assertThat(pem).startsWith("-----BEGIN " + type + "-----\n").endsWith("\n-----END " + type + "-----\n");
        assertThat(SprigPrivateKeys.pem(SprigPrivateKeys.parse(functions.environment(), pem)))
                .isEqualTo(pem);
    }

    @Test
    void namesAnUnknownKindOfKeyInsteadOfFailing() throws GoCallException {
        assertThat(key("RSA").bytes()).isEqualTo("Unknown type RSA");
    }

    @ParameterizedTest
    @CsvSource({"ecdsa", "ed25519"})
    void anAuthoritySignsCertificatesThatItsKeyVerifies(String kind) throws Exception {
        GoValue authority = functions.call("genCAWithKey", GoString.of("the ca"), GoInt.of(10), key(kind));
        GoValue server = functions.call(
                "genSignedCertWithKey",
                GoString.of("größe"),
                list("10.0.0.1", "::1", "::ffff:1.2.3.4"),
                list("a.example", "b"),
                GoInt.of(365),
                authority,
                key("ecdsa"));

        X509Certificate ca = certificate(authority);
        ca.verify(ca.getPublicKey());
        assertThat(ca.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(ca.getKeyUsage()).containsExactly(true, false, true, false, false, true, false, false, false);
        assertThat(ca.getExtensionValue("2.5.29.14")).hasSize(24);
        X509Certificate leaf = certificate(server);
        leaf.verify(ca.getPublicKey());
        assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=größe");
        assertThat(leaf.getIssuerX500Principal().getName()).isEqualTo("CN=the ca");
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        assertThat(leaf.getNotBefore()).isEqualTo(Instant.parse("2026-05-06T07:08:09Z"));
        assertThat(leaf.getNotAfter()).isEqualTo(Instant.parse("2027-05-06T07:08:09Z"));
        assertThat(leaf.getSubjectAlternativeNames().stream()
                        .map(name -> (String) name.get(1))
                        .toList())
                .containsExactly("a.example", "b", "10.0.0.1", "0:0:0:0:0:0:0:1", "1.2.3.4");
        assertThat(leaf.getExtensionValue("2.5.29.35")).isNotNull();
    }

    @Test
    void makesKeysOfItsOwnWhenNoneIsGiven() throws Exception {
        GoValue authority = functions.call("genCA", GoString.of("ca"), GoInt.of(1));
        GoValue self = functions.call("genSelfSignedCert", GoString.of("x"), NONE, NONE, GoInt.of(1));
        GoValue signed = functions.call("genSignedCert", GoString.of("x"), NONE, NONE, GoInt.of(1), authority);

        certificate(signed).verify(certificate(authority).getPublicKey());
        certificate(self).verify(certificate(self).getPublicKey());
        assertThat(field(self, 1)).startsWith("-----BEGIN RSA PRIVATE KEY-----\n");
        assertThat(certificate(self).getExtensionValue("2.5.29.17")).isNull();
    }

    /** Bouncy Castle reads a certificate with an empty issuer only where that is allowed. */
    private static X509CertificateHolder withoutIssuer(byte[] certificate) throws IOException {
        Properties.setThreadOverride("org.bouncycastle.x509.allow_empty_issuer_cert", true);
        try {
            return new X509CertificateHolder(certificate);
        } finally {
            Properties.removeThreadOverride("org.bouncycastle.x509.allow_empty_issuer_cert");
        }
    }

    @Test
    void anEmptyNameGivesAnEmptySubject() throws Exception {
        GoValue self = functions.call(
                "genSelfSignedCertWithKey", GoString.EMPTY, NONE, list("a"), GoInt.of(4_000_000), key("ecdsa"));

        X509CertificateHolder certificate = withoutIssuer(
                Objects.requireNonNull(SprigPemBlock.first(field(self, 0))).content());
        assertThat(certificate.getSubject().getRDNs()).isEmpty();
        assertThat(certificate.getIssuer().getRDNs()).isEmpty();
        assertThat(certificate.isSignatureValid(
                        new BcECContentVerifierProviderBuilder(new DefaultDigestAlgorithmIdentifierFinder())
                                .build(certificate)))
                .isTrue();
        assertThat(certificate.getExtension(Extension.subjectAlternativeName).isCritical())
                .isTrue();
        // The days are more than 64 bits of nanoseconds can hold.
        assertThat(certificate.getNotAfter()).isBefore("1900-01-01");
    }

    @Test
    void takesACertificateThatExistsAlready() throws Exception {
        GoValue made = functions.call("genCAWithKey", GoString.of("ca"), GoInt.of(1), key("ecdsa"));
        String surrounded = "junk\n" + field(made, 0) + "junk";

        GoValue taken = functions.call("buildCustomCert", base64(surrounded), base64(field(made, 1)));

        assertThat(field(taken, 0)).isEqualTo(surrounded);
        assertThat(field(taken, 1)).isEqualTo(field(made, 1));
    }

    @Test
    void refusesAnAuthorityWhoseKeyIsNotItsOwn() throws GoCallException {
        GoValue made = functions.call("genCAWithKey", GoString.of("ca"), GoInt.of(1), key("ecdsa"));
        GoValue mixed = functions.call(
                "buildCustomCert", base64(field(made, 0)), base64(key("ed25519").bytes()));
        GoValue unfit = functions.call(
                "buildCustomCert", base64(field(made, 0)), base64(key("dsa").bytes()));

        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call(
                        "genSignedCertWithKey", GoString.of("x"), NONE, NONE, GoInt.of(1), mixed, key("ecdsa")))
                .withMessage("error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey");
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call(
                        "genSignedCertWithKey", GoString.of("x"), NONE, NONE, GoInt.of(1), unfit, key("ecdsa")))
                .withMessage(
                        "error creating certificate: x509: certificate private key does not implement crypto.Signer");
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call(
                        "genSignedCertWithKey", GoString.of("x"), NONE, NONE, GoInt.of(1), made, key("dsa")))
                .withMessage("error creating certificate: x509: unsupported public key type: *dsa.PublicKey");
    }

    static Stream<Arguments> noKeys() {
        return Stream.of(
                Arguments.of("", "no PEM data in input"),
                Arguments.of("-----BEGIN X-----\nAAAA\nx-----END X-----", "no PEM data in input"),
                Arguments.of("  -----BEGIN X-----\nAAAA\n-----END X-----", "no PEM data in input"),
                Arguments.of("-----BEGIN X-----\nAAA\n-----END X-----", "no PEM data in input"),
                Arguments.of("-----BEGIN X-----\nAAAA\n-----END Y-----", "no PEM data in input"),
                Arguments.of("-----BEGIN X-----AAAA-----END X-----", "no PEM data in input"),
                Arguments.of("-----BEGIN X-----\nAAAA\n-----END X-----", "no private key data in PEM block of type X"),
                Arguments.of(
                        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                        "decoding PEM as PKCS#8: asn1: structure error: no well-formed PRIVATE KEY"));
    }

    @ParameterizedTest
    @MethodSource("noKeys")
    void refusesWhatIsNoPrivateKey(String pem, String complaint) {
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("genCAWithKey", GoString.of("ca"), GoInt.of(1), GoString.of(pem)))
                .withMessage("parsing private key: " + complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "  \n"})
    void readsAKeyWithLineBreaksOfAnyKindAndBlanksAtTheirEnds(String lineBreak) throws GoCallException {
        GoString key = key("ed25519");

        GoValue ca = functions.call(
                "genCAWithKey",
                GoString.of("ca"),
                GoInt.of(1),
                GoString.of("x\n" + key.bytes().replace("\n", lineBreak)));

        assertThat(field(ca, 1)).isEqualTo(key.bytes());
    }

    @Test
    void refusesAddressesAndNamesThatAreNone() throws GoCallException {
        GoString key = key("ecdsa");
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call(
                        "genSelfSignedCertWithKey", GoString.of("x"), list("01.2.3.4"), NONE, GoInt.of(1), key))
                .withMessage("error parsing ip: 01.2.3.4");
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call(
                        "genSelfSignedCertWithKey",
                        GoString.of("x"),
                        NONE,
                        GoSlice.of(List.of(GoInt.of(5))),
                        GoInt.of(1),
                        key))
                .withMessage("error processing alternate dns name: 5 is not a string");
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() ->
                        functions.call("genSelfSignedCertWithKey", GoString.of("x"), NONE, list("é"), GoInt.of(1), key))
                .withMessage(
                        "error creating certificate: x509: \"é\" cannot be encoded as an IA5String".replace("é", "Ã©"));
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("genCAWithKey", GoString.ofBytes("\u00ff"), GoInt.of(1), key))
                .withMessage("error creating certificate: asn1: string not valid UTF-8");
    }
}
