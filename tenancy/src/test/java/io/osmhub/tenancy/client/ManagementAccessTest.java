package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class ManagementAccessTest {
    @RegisterExtension
    static final ClientFixture FIXTURE = new ClientFixture();

    @BeforeAll
    static void start(Vertx vertx) {
        FIXTURE.use(vertx);
    }

    @TempDir
    Path folder;

    private Path kubeconfig(TestApiServer server, String user) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            current-context: one
            contexts: [{name: one, context: {cluster: one, user: one, namespace: hub-system}}]
            clusters: [{name: one, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
            users: [{name: one, user: {%s}}]
            """.formatted(
                        server.port(), base64(TestApiServer.AUTHORITY.pem()), user));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static ApiClient client(ManagementAccess access) {
        return FIXTURE.pool()
                .management(access, ClientLimits.MANAGEMENT, RequestObserver.NONE, ConnectionObserver.NONE);
    }

    @Test
    void aTokenThatIsRefusedIsReadAgain() throws Exception {
        List<String> tokens = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            tokens.add(request.getHeader("Authorization"));
            if (request.getHeader("Authorization").equals("Bearer two")) {
                TestApiServer.json(request, "{}");
            } else {
                request.response().setStatusCode(401).end();
            }
        });
        ManagementAccess access = ManagementAccess.ofKubeconfig(kubeconfig(server, "token: one"), "");
        assertThat(access.namespace()).isEqualTo("hub-system");
        ApiClient client = client(access);
        kubeconfig(server, "token: two");

        client.read("/version");
        client.read("/version");

        assertThat(tokens).containsExactly("Bearer one", "Bearer two", "Bearer two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{name: one, user: null}", "{name: one}"})
    void aUserWithoutCredentialsSignsInAsNobodyAsWithKubectl(String users) throws Exception {
        List<String> credentials = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            credentials.add(String.valueOf(request.getHeader("Authorization")));
            TestApiServer.json(request, "{}");
        });
        Path file = kubeconfig(server, "");
        Files.writeString(
                file, Files.readString(file).replace("users: [{name: one, user: {}}]", "users: [" + users + "]"));

        client(ManagementAccess.ofKubeconfig(file, "")).read("/version");

        assertThat(credentials).containsExactly("null");
    }

    @Test
    void anEmptyItemInAListOfTheKubeconfigIsAnError() throws Exception {
        Path file = Files.writeString(folder.resolve("kubeconfig"), """
            current-context: one
            contexts: [{name: one, context: {cluster: one, user: one}}]
            clusters: [{name: one, cluster: {server: "https://127.0.0.1:1"}}]
            users: [null, {name: one, user: {}}]
            """);

        assertThatIOException()
                .isThrownBy(() -> ManagementAccess.ofKubeconfig(file, ""))
                .withMessage("kubeconfig " + file + ": contexts, clusters or users has an empty item; remove it");
    }

    @ParameterizedTest
    @CsvSource({"RSA, false", "RSA, true", "EC, false", "EC, true"})
    void aClientCertificateSignsInWhateverFormItsKeyHas(String algorithm, boolean inTheAlgorithmsOwnForm)
            throws Exception {
        TestApiServer server = FIXTURE.server(ManagementAccessTest::answerWhoIsThere);
        TestAuthority.Issued issued = TestApiServer.AUTHORITY.client("operator", algorithm);
        Path certificate = Files.writeString(folder.resolve("cert.pem"), issued.certificatePem());
        String key = base64(inTheAlgorithmsOwnForm ? issued.pkcs1() : issued.pkcs8());

        byte[] answer = client(ManagementAccess.ofKubeconfig(
                        kubeconfig(server, "client-certificate: " + certificate + ", client-key-data: " + key), ""))
                .read("/version")
                .body();

        assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("\"CN=operator\"");
    }

    private static void answerWhoIsThere(HttpServerRequest request) {
        try {
            String name = ((X509Certificate) request.sslSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
            TestApiServer.json(request, "\"" + name + "\"");
        } catch (SSLPeerUnverifiedException e) {
            request.response().setStatusCode(401).end();
        }
    }

    @Test
    void retriesNothingByItself() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            requests.add(request.path());
            request.response().setStatusCode(500).end();
        });
        ApiClient client = client(ManagementAccess.ofKubeconfig(kubeconfig(server, "token: one"), ""));

        try {
            client.read("/version");
        } catch (ApiFailure failure) {
            assertThat(failure.code()).isEqualTo(500);
        }

        assertThat(requests).hasSize(1);
    }

    @Test
    void theProxyThatTheKubeconfigNamesIsGoneThrough() throws Exception {
        TestApiServer server = FIXTURE.server(request -> TestApiServer.json(request, "{}"));
        List<String> asked = new CopyOnWriteArrayList<>();
        NetServer proxy = FIXTURE.vertx()
                .createNetServer()
                .connectHandler(near -> near.handler(first -> {
                    asked.add(first.toString().lines().findFirst().orElse(""));
                    near.pause();
                    FIXTURE.vertx()
                            .createNetClient()
                            .connect(server.port(), "127.0.0.1")
                            .onSuccess(far -> {
                                near.write("HTTP/1.1 200 OK\r\n\r\n");
                                near.handler(far::write);
                                far.handler(near::write);
                                near.resume();
                            });
                }))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        Path file = kubeconfig(server, "token: one");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("server: ", "proxy-url: \"http://127.0.0.1:" + proxy.actualPort() + "\", server: "));

        client(ManagementAccess.ofKubeconfig(file, "")).read("/version");

        assertThat(asked).containsExactly("CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1");
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"socks5://proxy:1080", "http://me:hunter2@proxy:3128", "http://", "proxy:3128", "http://a b"})
    void aProxyThatCannotBeUsedIsToldAndItsPasswordIsNot(String url) throws Exception {
        TestApiServer server = FIXTURE.server(request -> TestApiServer.json(request, "{}"));
        Path file = kubeconfig(server, "token: one");
        Files.writeString(file, Files.readString(file).replace("server: ", "proxy-url: \"" + url + "\", server: "));

        assertThatIOException()
                .isThrownBy(() -> ManagementAccess.ofKubeconfig(file, ""))
                .withMessageContaining("proxy-url of cluster one")
                .withMessageNotContaining("hunter2");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path missing = folder.resolve("missing");

        assertThatIOException()
                .isThrownBy(() -> ManagementAccess.ofKubeconfig(missing, ""))
                .withMessage("kubeconfig " + missing + " cannot be read");
    }

    /** Two contexts that work, and one for each name that does not exist. */
    private Path contexts(String currentContext) throws IOException {
        return Files.writeString(folder.resolve("contexts"), """
            apiVersion: v1
            kind: Config
            %s
            contexts:
            - {name: one, context: {cluster: one, user: one}}
            - {name: two, context: {cluster: two, user: one}}
            - {name: without-cluster, context: {cluster: gone, user: one}}
            - {name: without-user, context: {cluster: one, user: gone}}
            clusters:
            - {name: one, cluster: {server: "https://one.example:6443"}}
            - {name: two, cluster: {server: "https://two.example:6443"}}
            users: [{name: one, user: {token: one}}]
            """.formatted(currentContext));
    }

    @Test
    void selectsTheContextThatIsNamed() throws Exception {
        Path file = contexts("current-context: one");

        assertThat(ManagementAccess.ofKubeconfig(file, "").describe())
                .isEqualTo("https://one.example:6443/ (context one)");
        assertThat(ManagementAccess.ofKubeconfig(file, "two").describe())
                .isEqualTo("https://two.example:6443/ (context two)");
        assertThat(ManagementAccess.contexts(file)).containsExactly("one", "two", "without-cluster", "without-user");
    }

    @ParameterizedTest
    @CsvSource({
        "no-such, 'context \"no-such\" does not exist in kubeconfig '",
        "without-cluster, 'context \"without-cluster\": no server found for cluster \"gone\" in kubeconfig '",
        "without-user, 'context \"without-user\": user \"gone\" does not exist in kubeconfig '",
    })
    void refusesANameThatDoesNotExist(String context, String message) throws Exception {
        Path file = contexts("current-context: one");

        assertThatIOException()
                .isThrownBy(() -> ManagementAccess.ofKubeconfig(file, context))
                .withMessageStartingWith(message + file);
    }

    @ParameterizedTest
    @CsvSource({
        "'current-context: gone', 'context \"gone\" does not exist in kubeconfig '",
        "'', 'no current context in kubeconfig '"
    })
    void refusesAKubeconfigWhoseCurrentContextDoesNotExist(String line, String message) throws Exception {
        Path file = contexts(line);

        assertThatIOException()
                .isThrownBy(() -> ManagementAccess.ofKubeconfig(file, ""))
                .withMessageStartingWith(message + file);
    }

    @Test
    void ofSeveralFilesTheFirstThatSetsTheCurrentContextDecides() throws Exception {
        Path first = Files.writeString(folder.resolve("first"), """
            apiVersion: v1
            kind: Config
            current-context: gone
            """);
        System.setProperty("kubeconfig", first + File.pathSeparator + contexts("current-context: one"));
        try {
            assertThatIOException()
                    .isThrownBy(ManagementAccess::ofEnvironment)
                    .withMessageStartingWith("context \"gone\" does not exist");
            assertThat(ManagementAccess.ofEnvironment("two").describe())
                    .isEqualTo("https://two.example:6443/ (context two)");
        } finally {
            System.clearProperty("kubeconfig");
        }
    }

    @Test
    void refusesAContextWithoutAKubeconfig() {
        System.setProperty("kubeconfig", folder.resolve("missing").toString());
        try {
            assertThatIOException()
                    .isThrownBy(() -> ManagementAccess.ofEnvironment("prod"))
                    .withMessage("context \"prod\" does not exist: no kubeconfig found; use --kubeconfig FILE");
        } finally {
            System.clearProperty("kubeconfig");
        }
    }
}
