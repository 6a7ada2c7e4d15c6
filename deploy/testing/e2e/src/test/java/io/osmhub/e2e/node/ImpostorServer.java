package io.osmhub.e2e.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.osmhub.e2e.cluster.CertificateSigner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What may answer at the API server's address: a proxy, a captive portal, a failing server. Has its own certificate. */
public final class ImpostorServer implements AutoCloseable {
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
            CertificateSigner signer = CertificateSigner.create(folder, name);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(signer.keys(), CertificateSigner.PASSWORD.toCharArray());
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(managers.getKeyManagers(), null, null);
            HttpsServer http = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setHttpsConfigurator(new HttpsConfigurator(tls));
            ImpostorServer server = new ImpostorServer(http, signer.certificate());
            http.createContext("/", server::answer);
            http.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
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
