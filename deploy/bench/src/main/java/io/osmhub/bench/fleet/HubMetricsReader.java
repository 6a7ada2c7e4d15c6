package io.osmhub.bench.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads the hub's {@code /metrics}. */
final class HubMetricsReader {
    private HubMetricsReader() {}

    /** Number of synced worker clusters; 0 while the hub does not respond yet. */
    static long syncedWorkerClusters(HttpClient client, int port) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return synced(client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                    .body());
        } catch (IOException notListeningYet) {
            return 0;
        }
    }

    static long synced(String metrics) {
        return metrics.lines()
                .filter(line -> line.startsWith("osm_hub_worker_clusters{") && line.contains("state=\"synced\""))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                .sum();
    }
}
