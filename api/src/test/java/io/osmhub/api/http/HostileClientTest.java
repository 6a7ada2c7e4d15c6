package io.osmhub.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.osmhub.api.schema.SearchResult;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that are slow, half there, or speak no HTTP: they are cut, and others do not notice. */
@ExtendWith(VertxExtension.class)
class HostileClientTest {
    private static final int LIMIT_MILLIS = 30_000;
    private static final String AUTHORIZATION = "Authorization: Bearer ann\r\n";

    private final RunningServer server;

    HostileClientTest(Vertx vertx) throws Exception {
        RunningServer.Plan plan =
                new RunningServer.Plan().answer("search", call -> Reply.ok(new SearchResult(List.of())));
        plan.limits = new HttpLimits(
                10_000,
                8_192,
                8,
                64,
                20,
                4,
                100,
                Duration.ofMillis(700),
                Duration.ofMillis(700),
                Duration.ofMillis(700),
                Duration.ofMillis(700));
        server = new RunningServer(vertx, plan);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    static Stream<String> requests() {
        return Stream.of(
                "GET /api/v1/search?q=a HTTP/1.1\r\nHost: x\r\n" + AUTHORIZATION,
                "PUT /api/v1/namespaces/a/worker-clusters/b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 5000\r\n" + AUTHORIZATION + "\r\n{",
                "PUT /api/v1/namespaces/a/worker-clusters/b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n" + AUTHORIZATION + "\r\n5\r\n{",
                "");
    }

    @ParameterizedTest
    @MethodSource("requests")
    void whoDripsIsCutAndOthersAreServed(String begin) throws Exception {
        List<SSLSocket> slow = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            slow.add(connect());
            slow.getLast().getOutputStream().write(begin.getBytes(UTF_8));
        }

        for (int i = 0; i < 10; i++) {
            assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);
        }

        for (SSLSocket socket : slow) {
            assertEndsWhileDripping(socket);
        }
        assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);
    }

    @Test
    void moreConnectionsThanThereArePlacesPushOutTheIdleOnes() throws Exception {
        List<SSLSocket> idle = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            idle.add(connect());
        }

        assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);

        for (SSLSocket socket : idle) {
            socket.close();
        }
    }

    @Test
    void connectionsWithoutTlsHarmNobody() throws Exception {
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port);
            open.add(socket);
            if (i % 2 == 0) {
                socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
            }
        }

        assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);

        for (Socket socket : open) {
            socket.close();
        }
    }

    @Test
    void garbageIsAnsweredAsAProblemOrCut() throws Exception {
        for (String garbage : List.of(
                "NONSENSE\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /api/v1/namespaces/%zz/osps/a HTTP/1.1\r\nHost: x\r\n" + AUTHORIZATION + "\r\n",
                "GET /api/v1/search?q=%zz HTTP/1.1\r\nHost: x\r\n" + AUTHORIZATION + "\r\n",
                "GET /api/v1/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET //api//v1//search HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nA: " + "a".repeat(20_000) + "\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
                "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n")) {
            try (SSLSocket socket = connect()) {
                socket.getOutputStream().write(garbage.getBytes(ISO_8859_1));
                String answer = read(socket);
                if (!answer.isEmpty()) {
                    assertThat(answer)
                            .matches("(?s)http/1.[01] [34]\\d\\d .*")
                            .contains("x-request-id")
                            .doesNotContain("at io.", "Exception");
                }
            }
        }
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[random.nextInt(2_000) + 1];
            random.nextBytes(bytes);
            try (SSLSocket socket = connect()) {
                socket.getOutputStream().write(bytes);
                assertThat(read(socket)).doesNotStartWith("http/1.1 5");
            } catch (SocketException cutBeforeItWasWritten) {
                assertThat(cutBeforeItWasWritten).isNotNull();
            }
        }
        assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);
    }

    /** Vert.x answers this before any handler of ours; 501 is about the version, no fault. */
    @Test
    void aVersionOfHttpThatThereIsNotIsRefusedWithoutABody() throws Exception {
        try (SSLSocket socket = connect()) {
            socket.getOutputStream().write("GET / HTTP/9.9\r\nHost: x\r\n\r\n".getBytes(UTF_8));

            assertThat(read(socket)).startsWith("http/9.9 501").endsWith("\r\n\r\n");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsThere() throws Exception {
        HttpResponse<String> answer = server.send(server.to("/api/v1/namespaces/a/worker-clusters/b")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[100_000]))));

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    /** Bodies that do not come hold what those without a sign-in may hold, and no more. */
    @Test
    void whoIsNotSignedInLeavesPlacesToOthers() throws Exception {
        List<SSLSocket> slow = new ArrayList<>();
        String begin =
                "POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{";
        for (int i = 0; i < 6; i++) {
            slow.add(connect());
            slow.getLast().getOutputStream().write(begin.getBytes(UTF_8));
        }

        assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);

        long refused = 0;
        for (SSLSocket socket : slow) {
            String answer = read(socket);
            if (answer.startsWith("http/1.1 429")) {
                assertThat(answer).contains("retry-after: 1", "without a sign-in");
                refused++;
            }
            socket.close();
        }
        assertThat(refused).isPositive();
    }

    private SSLSocket connect() throws Exception {
        SSLSocket socket =
                (SSLSocket) server.certificate.trusting().getSocketFactory().createSocket("127.0.0.1", server.port);
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.startHandshake();
        return socket;
    }

    private static String read(SSLSocket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readNBytes(2_000), ISO_8859_1).toLowerCase(Locale.ROOT);
        } catch (SocketException cut) {
            return "";
        }
    }

    /** Sends a byte again and again, as a slow client does, until the server has had enough. */
    private static void assertEndsWhileDripping(SSLSocket socket) throws Exception {
        long limit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);
        OutputStream out = socket.getOutputStream();
        try (socket) {
            while (System.nanoTime() < limit) {
                out.write('x');
                out.flush();
                TimeUnit.MILLISECONDS.sleep(50);
            }
        } catch (IOException cut) {
            return;
        }
        fail("the connection was never cut");
    }
}
