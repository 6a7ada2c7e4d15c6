package io.osmhub.e2e.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What may answer at the API server's address: a proxy, a captive portal, a failing server. Has its own certificate. */
public final class ImpostorServer implements AutoCloseable {
    private static final String PASSWORD = "password";

    /** What it gives to every request. */
    public enum ImpostorResponse {
        /** A page for people, with code 200. */
        PAGE,
        /** The beginning of what was announced. */
        HALF,
        /** A Secret without a configuration. */
        NONSENSE
    }

    private final HttpsServer server;
    private final String certificate;
    private volatile ImpostorResponse answer = ImpostorResponse.PAGE;
    private final AtomicInteger requests = new AtomicInteger();

    private ImpostorServer(HttpsServer server, String certificate) {
        this.server = server;
        this.certificate = certificate;
    }

    /** Starts one; its key lies in the folder. */
    public static ImpostorServer start(Path folder, String name) {
        try {
            KeyStore keys = keys(folder.resolve(name + ".p12"));
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(managers.getKeyManagers(), null, null);
            HttpsServer http = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setHttpsConfigurator(new HttpsConfigurator(tls));
            String pem = "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'})
                            .encodeToString(keys.getCertificate("server").getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
            ImpostorServer server = new ImpostorServer(http, pem);
            http.createContext("/", server::answer);
            http.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore keys(Path file) throws IOException, GeneralSecurityException {
        Files.deleteIfExists(file);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=other",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-ext",
                        "bc:critical=ca:true",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        try {
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private void answer(HttpExchange exchange) throws IOException {
        ImpostorResponse given = answer;
        try (exchange) {
            String text =
                    switch (given) {
                        case PAGE -> "<html><body>#cloud-config Please log in</body></html>\n";
                        case HALF -> "{\"kind\":\"Secret\",\"data\":{\"cloud-config\":\"I2Nsb3VkLWNvbmZpZwo=\"";
                        case NONSENSE -> "{\"kind\":\"Secret\",\"data\":{\"cloud-config\": \"bm9uc2Vuc2UK\"}}\n";
                    };
            byte[] body = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, given == ImpostorResponse.HALF ? 10_000 : body.length);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
        } finally {
            // Counted when it is given, so that who waits for it sees what a machine made of the one before.
            requests.incrementAndGet();
        }
    }

    /** Changes what it gives. */
    public void setResponse(ImpostorResponse next) {
        answer = next;
    }

    /** How many requests it has answered; a machine that does not trust it makes none. */
    public int requests() {
        return requests.get();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** PEM text of its certificate. */
    public String certificate() {
        return certificate;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
