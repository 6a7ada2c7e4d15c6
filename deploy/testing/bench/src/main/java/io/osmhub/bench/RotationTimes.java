package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Measures when provisioning secrets get a new file, and counts the writes of each secret. Starts with its creation. Thread-safe. */
final class RotationTimes {
    static final String PROVISIONING = "-provisioning-config";

    private final long began = System.nanoTime();
    private final List<String> forms;
    private final Map<String, Duration> durations = new ConcurrentHashMap<>();
    private final Map<String, Integer> writes = new ConcurrentHashMap<>();

    /** @param content of a file that only the new version has, one line */
    RotationTimes(String content) {
        forms = List.of(content, Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)));
    }

    /** @param cluster unique among all */
    void onSecretWritten(String cluster, String name, JsonNode secret) {
        String key = cluster + "/" + name;
        Duration now = Duration.ofNanos(System.nanoTime() - began);
        writes.merge(key, 1, Integer::sum);
        if (name.endsWith(PROVISIONING) && hasFile(secret)) {
            durations.putIfAbsent(key, now);
        }
    }

    /** Until each provisioning secret had the file, for those that have it. */
    Collection<Duration> durations() {
        return List.copyOf(durations.values());
    }

    int current() {
        return durations.size();
    }

    /** Writes of the secret that was written most often. */
    int mostWrites() {
        return writes.isEmpty() ? 0 : Collections.max(writes.values());
    }

    /** User-data contains a file as it is, or encoded. */
    private boolean hasFile(JsonNode secret) {
        for (JsonNode value : secret.path("data")) {
            String text = new String(Base64.getDecoder().decode(value.asText()), StandardCharsets.UTF_8);
            if (forms.stream().anyMatch(text::contains)) {
                return true;
            }
        }
        return false;
    }
}
