package io.osmhub.e2e.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One etcd for all API servers of a test, each with its own prefix. */
final class Etcd implements AutoCloseable {
    private final ServerProcess process;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    private Etcd(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    static Etcd start(ServerPrograms programs, Path folder) {
        int port = FreePort.find();
        String client = "http://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + FreePort.find();
        ServerProcess process = ServerProcess.start(
                "etcd",
                List.of(
                        programs.etcd().toString(),
                        "--data-dir=" + folder.resolve("etcd"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer,
                        // The data live no longer than the test, so nothing is gained by waiting for the disk.
                        "--unsafe-no-fsync",
                        "--log-level=warn"),
                Map.of(),
                folder.resolve("etcd.log"));
        Etcd etcd = new Etcd(process, port);
        Await.until("etcd is healthy", Duration.ofMinutes(1), () -> {
            if (!process.running()) {
                throw new AssertionError(process.tail());
            }
            return etcd.healthy();
        });
        return etcd;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    private boolean healthy() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/health"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return http.send(request, BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.kill();
    }
}
