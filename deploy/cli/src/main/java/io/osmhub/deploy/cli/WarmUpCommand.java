package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.osmhub.api.schema.ApiJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the common verbs once without output. The launcher records this run for the class cache, so that later starts load
 * classes faster.
 */
@Command(name = "warm-up", hidden = true, description = "Run the common verbs to record the class cache.")
final class WarmUpCommand implements Callable<Integer> {
    private static final String UNREACHABLE_SERVER = "http://127.0.0.1:1";

    /** Verbs whose start matters most have a smaller cache: Java loads all of its classes at each start. */
    @Option(names = "--read-only", description = "Run only verbs that read from the hub's API.")
    private boolean readOnly;

    /** Of a key that is only used by this process. */
    private static final String STORE_PASSWORD = "warm-up";

    private static final List<List<String>> VERBS = List.of(
            List.of("--help"),
            List.of("help", "render"),
            List.of("no-such-verb"),
            List.of("lint", "-"),
            // Unreachable, but loads the error classes.
            List.of("get", "mds", "-A", "--server", UNREACHABLE_SERVER),
            render("--settings", "-"),
            render("--peer-flag", "no-such-flag=x"));

    /** Of the server of this class. */
    private static final List<List<String>> READ_ONLY_VERBS = List.of(
            List.of("get", "clusters"),
            List.of("get", "clusters", "-o", "json"),
            List.of("get", "mds", "-A", "-o", "wide"),
            List.of("get", "osps", "-A", "-o", "yaml"),
            List.of("get", "oscs", "-A"),
            List.of("get", "problems", "-A"),
            List.of("get", "causes"),
            List.of("why", "md", "kube-system/workers", "-n", "tenant"),
            List.of("version"));

    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: warm-up
            contexts: [{name: warm-up, context: {cluster: warm-up, user: warm-up}}]
            clusters: [{name: warm-up, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: warm-up, user: {token: none}}]
            """;

    private static List<String> render(String... more) {
        return Stream.concat(Stream.of("render", "--osp", "-", "--machine-deployment", "-"), Stream.of(more))
                .toList();
    }

    @Override
    public Integer call() throws IOException {
        if (readOnly) {
            Path directory = Files.createTempDirectory("hub-warm-up");
            try {
                return readFromServer(directory);
            } finally {
                delete(directory);
            }
        }
        String examples = String.join(
                "\n---\n",
                resource("examples/osp.yaml"),
                resource("examples/machinedeployment.yaml"),
                resource("examples/tenant.yaml"));
        for (List<String> verb : VERBS) {
            run(examples, verb);
        }
        Path directory = Files.createTempDirectory("hub-warm-up");
        try {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), KUBECONFIG);
            run(
                    examples,
                    List.of("get", "mds", "-A", "--service-account", "a/b", "--kubeconfig", kubeconfig.toString()));
            return run(examples, render("--settings", "-", "--out", directory.toString()));
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** Runs the read-only verbs with a server of this process, to record a TLS connection and responses; returns the worst exit code. */
    private static int readFromServer(Path directory) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Path authority = directory.resolve("ca.crt");
        try {
            server.setHttpsConfigurator(new HttpsConfigurator(selfSigned(directory.resolve("server.p12"), authority)));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the certificate of keytool", e);
        }
        JsonNode responses = ApiJson.client().readTree(resource("warm-up.json"));
        server.createContext("/api/v1/", exchange -> respond(exchange, responses));
        server.start();
        try {
            String url = "https://127.0.0.1:" + server.getAddress().getPort();
            int worst = ExitCode.OK;
            for (List<String> verb : READ_ONLY_VERBS) {
                Stream<String> connection = Stream.of("--server", url, "--ca-file", authority.toString());
                worst = Math.max(
                        worst, run("", Stream.concat(verb.stream(), connection).toList()));
            }
            return worst;
        } finally {
            server.stop(0);
        }
    }

    private static void respond(HttpExchange exchange, JsonNode responses) throws IOException {
        JsonNode found = responses.path(exchange.getRequestURI().getPath().substring("/api/v1".length()));
        byte[] body = (found.isMissingNode() ? "{\"items\": []}" : found.toString()).getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Creates a key and a certificate with the JDK's program, and writes the certificate to {@code authority}. */
    private static SSLContext selfSigned(Path store, Path authority) throws IOException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        STORE_PASSWORD,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=warm-up",
                        "-ext",
                        "san=ip:127.0.0.1")
                .redirectErrorStream(true)
                .start();
        // Wait for its end.
        keytool.getInputStream().readAllBytes();
        KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray());
        String certificate = Base64.getMimeEncoder()
                .encodeToString(keys.getCertificate("mykey").getEncoded());
        Files.writeString(authority, "-----BEGIN CERTIFICATE-----\n" + certificate + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, STORE_PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static int run(String input, List<String> arguments) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        InputStream in = new ByteArrayInputStream(input.getBytes(UTF_8));
        return HubCommand.run(new Terminal(in, nowhere, nowhere), arguments.toArray(String[]::new));
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(WarmUpCommand.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), UTF_8);
        }
    }
}
