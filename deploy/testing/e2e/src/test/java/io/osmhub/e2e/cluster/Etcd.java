package io.osmhub.e2e.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One etcd for several API servers of a test, each with its own prefix. */
final class Etcd implements AutoCloseable {
    /** More revisions than a test writes between a backup and its restore. */
    private static final int BUMP = 2_000;

    private final ServerPrograms programs;
    private final Path folder;
    private final int port = FreePort.find();
    private final int peerPort = FreePort.find();
    private final HttpClient http = HttpClient.newHttpClient();
    private ServerProcess process;

    private Etcd(ServerPrograms programs, Path folder) {
        this.programs = programs;
        this.folder = folder;
        this.process = launch();
    }

    /** Starts the process and returns when it is healthy. Its data are below {@code folder}. */
    static Etcd start(ServerPrograms programs, Path folder) {
        return new Etcd(programs, folder).awaitHealthy();
    }

    private ServerProcess launch() {
        String client = "http://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + peerPort;
        return ServerProcess.start(
                "etcd",
                List.of(
                        programs.etcd().toString(),
                        "--data-dir=" + data(),
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
    }

    private Etcd awaitHealthy() {
        Await.until("etcd is healthy", Duration.ofMinutes(1), () -> {
            if (!process.running()) {
                throw new AssertionError(process.tail());
            }
            return healthy();
        });
        return this;
    }

    /** Folder of the data: a copy of it, made while the process is stopped, is a backup. */
    Path data() {
        return folder.resolve("etcd");
    }

    /** SIGTERM, so that everything is on disk. */
    void stop() {
        process.stop(30);
    }

    /**
     * Does what {@code etcdutl snapshot restore --bump-revision --mark-compacted} does to restored data: clients that watched before
     * cannot resume, because every version that they know is compacted.
     */
    void bumpRevision() {
        String revision = "0";
        for (int written = 0; written < BUMP; written++) {
            revision = send("put", "{\"key\": \"YnVtcA==\", \"value\": \"\"}")
                    .at("/header/revision")
                    .asText();
        }
        send("compaction", "{\"revision\": \"" + revision + "\"}");
    }

    private JsonNode send(String operation, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/v3/kv/" + operation))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(operation + ": " + response.body());
            }
            return ManifestObjects.json(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Starts a stopped process with the data that are there now, at the same address. */
    void resume() {
        process = launch();
        awaitHealthy();
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
