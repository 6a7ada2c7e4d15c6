package io.osmhub.e2e.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A mirror of the programs of a node: each file with its checksum beside it, as their projects publish them. */
public final class NodeMirror implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Path> files;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile String damaged = "";

    /** What was requested, and when. */
    public record Request(Instant at, String path) {}

    private NodeMirror(HttpServer server, Map<String, Path> files) {
        this.server = server;
        this.files = files;
    }

    /** @param files by path of the URL */
    public static NodeMirror start(Map<String, Path> files) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            NodeMirror mirror = new NodeMirror(http, Map.copyOf(files));
            http.createContext("/", mirror::answer);
            http.start();
            return mirror;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Serves a checksum for a file that is not the file's; empty for none. */
    public void damage(String path) {
        damaged = path;
    }

    /** In their order. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            requests.add(new Request(Instant.now(), path));
            boolean checksum = path.endsWith(".sha256");
            String name = checksum ? path.substring(0, path.length() - ".sha256".length()) : path;
            Path file = files.get(name);
            if (file == null) {
                exchange.sendResponseHeaders(404, -1);
            } else if (checksum) {
                byte[] text = (name.equals(damaged) ? "0".repeat(64) : digest(file)).getBytes(UTF_8);
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
            } else {
                exchange.sendResponseHeaders(200, Files.size(file));
                Files.copy(file, exchange.getResponseBody());
            }
        }
    }

    private static String digest(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
