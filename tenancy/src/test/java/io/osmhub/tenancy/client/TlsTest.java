package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.client.ServerAccess.ServerTrustPolicy;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.assertj.core.api.AbstractObjectAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class TlsTest {
    private static final Authentication ANONYMOUS = new Authentication.Anonymous();

    @RegisterExtension
    static final ClientFixture FIXTURE = new ClientFixture();

    @BeforeAll
    static void start(Vertx vertx) {
        FIXTURE.use(vertx);
    }

    private static TestApiServer serverWith(TestAuthority.Issued certificate) {
        return FIXTURE.server(certificate, HttpVersion.HTTP_2, TlsTest::answerWhoIsThere);
    }

    /** Responds with the name in the client's certificate and the requested server name. */
    private static void answerWhoIsThere(HttpServerRequest request) {
        String who;
        try {
            who = ((X509Certificate) request.sslSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        } catch (SSLPeerUnverifiedException e) {
            who = "anonymous";
        }
        TestApiServer.json(
                request,
                "\"" + who + " at " + request.connection().indicatedServerName() + " "
                        + request.authority().host() + "\"");
    }

    private static String whoIsThere(ServerAccess access) throws ApiFailure {
        return new String(FIXTURE.client(access).read("/version").body(), StandardCharsets.UTF_8).replace("\"", "");
    }

    private static AbstractObjectAssert<?, ApiFailure> assertRefused(ServerAccess access) {
        return assertThatThrownBy(() -> FIXTURE.client(access).read("/version"))
                .asInstanceOf(type(ApiFailure.class))
                .returns(ApiFailureKind.TLS, ApiFailure::kind);
    }

    @Test
    void theNameIsTheKubeconfigsWhileTheAddressIsAnother() throws ApiFailure {
        // No DNS server resolves worker.example.
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.server("worker.example"));

        assertThat(whoIsThere(server.access("worker.example", ANONYMOUS)))
                .isEqualTo("anonymous at worker.example worker.example");
    }

    @Test
    void theCertificateMayBeForAnotherNameThanTheServers() throws ApiFailure {
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.server("inner.example"));
        ServerAccess access = server.access("worker.example", ANONYMOUS);
        ServerAccess named =
                new ServerAccess(access.server(), access.trust(), ANONYMOUS, "inner.example", access.address(), null);

        assertThat(whoIsThere(named)).isEqualTo("anonymous at inner.example worker.example");
    }

    @Test
    void anAddressInTheCertificateIsAccepted() throws ApiFailure {
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.server("127.0.0.1"));

        assertThat(whoIsThere(server.access("127.0.0.1", ANONYMOUS)))
                .startsWith("anonymous")
                .endsWith("127.0.0.1");
    }

    @Test
    void anIpv6AddressInTheCertificateIsAccepted() throws ApiFailure {
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.server("fd00::1"));
        ServerAccess access = new ServerAccess(
                URI.create("https://[fd00::1]:" + server.port()),
                new ServerTrustPolicy.Authorities(TestApiServer.AUTHORITY.pem()),
                ANONYMOUS,
                "",
                InetAddress.getLoopbackAddress(),
                null);

        assertThat(whoIsThere(access)).startsWith("anonymous");
    }

    @Test
    void aServerOfAnotherAuthorityIsRefusedAndBothAreNamed() {
        TestAuthority other = new TestAuthority("other");
        ApiClient client =
                FIXTURE.client(serverWith(other.server("worker.example")).access());

        assertThatThrownBy(() -> client.read("/version"))
                .asInstanceOf(type(ApiFailure.class))
                .returns(ApiFailureKind.TLS, ApiFailure::kind)
                .satisfies(failure -> assertThat(failure.text())
                        .startsWith("certificate rejected: not signed by the kubeconfig's certificate authority,"
                                + " expected CA sha256:")
                        .contains(", got sha256:"));
        assertThat(client.lastCertificateFailure()).isNotNull().satisfies(refusal -> {
            assertThat(refusal.expected()).matches("sha256:[0-9a-f]{64}").isNotEqualTo(refusal.got());
            assertThat(refusal.got()).matches("sha256:[0-9a-f]{64}");
        });
    }

    @Test
    void aCertificateForAnotherNameIsRefusedAndTheNamesAreTold() {
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.server("a.example", "10.0.0.1"));

        assertRefused(server.access("worker.example", ANONYMOUS)).satisfies(failure -> assertThat(failure.text())
                .contains("it is for a.example, 10.0.0.1, not for worker.example"));
    }

    @Test
    void aCertificateThatEndedIsRefused() {
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.endedServer("worker.example"));

        assertRefused(server.access("worker.example", ANONYMOUS))
                .satisfies(failure -> assertThat(failure.text()).containsPattern("expired at 20\\d\\d-"));
    }

    @Test
    void theRuntimesTrustStoreIsNotAsked() {
        // With the system properties that would make the runtime trust the server.
        TestAuthority other = new TestAuthority("other");
        TestApiServer server = serverWith(other.server("worker.example"));
        System.setProperty("javax.net.ssl.trustStoreType", "Windows-ROOT");

        try {
            assertRefused(server.access());
        } finally {
            System.clearProperty("javax.net.ssl.trustStoreType");
        }
    }

    @Test
    void anyServerIsAcceptedWhereTheOperatorSaidSo() throws ApiFailure {
        TestApiServer server = serverWith(new TestAuthority("other").server("a.example"));
        ServerAccess access = server.access("worker.example", ANONYMOUS);

        assertThat(whoIsThere(new ServerAccess(
                        access.server(), new ServerTrustPolicy.Insecure(), ANONYMOUS, "", access.address(), null)))
                .startsWith("anonymous");
    }

    @Test
    void theNativeLibraryIsUsedHere() {
        // Otherwise the tests of this class would not cover it.
        assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .as("BoringSSL is built for Linux")
                .isIn("Linux amd64", "Linux aarch64");

        assertThat(NativeTls.supports(ANONYMOUS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aServerMaySpeakEitherVersion(String protocol) throws ApiFailure {
        try (TestApiServer server = TestApiServer.start(
                FIXTURE.vertx(),
                ClientFixture.CERTIFICATE,
                HttpVersion.HTTP_2,
                List.of(protocol),
                request ->
                        TestApiServer.json(request, "\"" + request.sslSession().getCipherSuite() + "\""))) {
            assertThat(whoIsThere(server.access())).isIn(NativeTls.CIPHER_SUITES);
            assertThat(server.opened()).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "EC-521"})
    void aServerMayHaveAnyKindOfKey(String algorithm) throws ApiFailure {
        TestApiServer server = serverWith(TestApiServer.AUTHORITY.serverWithKey(algorithm, "worker.example"));
        ServerAccess access = server.access("worker.example", ANONYMOUS);

        assertThat(whoIsThere(access)).startsWith("anonymous");
        assertThat(server.opened()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "EC-521"})
    void aClientCertificateSignsIn(String algorithm) throws ApiFailure {
        TestAuthority.Issued issued = TestApiServer.AUTHORITY.client("the-hub", algorithm);
        TestApiServer server = serverWith(ClientFixture.CERTIFICATE);
        Authentication signIn = new Authentication.Certificate(issued.certificatePem(), new Sensitive(issued.pkcs8()));

        assertThat(whoIsThere(server.access("worker.example", signIn))).startsWith("CN=the-hub at");
    }

    @Test
    void aServerWithoutTlsIsToldApart() {
        var plain = FIXTURE.vertx()
                .createNetServer()
                .connectHandler(socket -> socket.handler(bytes -> socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        ServerAccess access = new ServerAccess(
                URI.create("https://worker.example:" + plain.actualPort()),
                new ServerTrustPolicy.Authorities(TestApiServer.AUTHORITY.pem()),
                ANONYMOUS,
                "",
                InetAddress.getLoopbackAddress(),
                null);

        assertRefused(access).returns("the server does not speak TLS on this port", ApiFailure::text);
    }

    @Test
    void aConnectionThatEndsInTheHandshakeIsNoMatterOfCertificates() {
        var rude = FIXTURE.vertx()
                .createNetServer()
                .connectHandler(socket -> socket.handler(bytes -> socket.close()))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        ServerAccess access = new ServerAccess(
                URI.create("https://worker.example:" + rude.actualPort()),
                new ServerTrustPolicy.Authorities(TestApiServer.AUTHORITY.pem()),
                ANONYMOUS,
                "",
                InetAddress.getLoopbackAddress(),
                null);

        assertThatThrownBy(() -> FIXTURE.client(access).read("/version"))
                .asInstanceOf(type(ApiFailure.class))
                .returns(ApiFailureKind.NO_CONNECTION, ApiFailure::kind);
    }

    @Test
    void whatIsNoCertificateIsRefusedAtOnce() {
        ServerAccess access = new ServerAccess(
                URI.create("https://worker.example"),
                new ServerTrustPolicy.Authorities("nothing"),
                ANONYMOUS,
                "",
                null,
                null);

        assertThatIllegalArgumentException().isThrownBy(() -> FIXTURE.client(access));
    }
}
