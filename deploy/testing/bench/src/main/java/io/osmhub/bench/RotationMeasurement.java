package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.bench.ConsoleClient.ApiAccess;
import io.osmhub.bench.RotationResult.ExtensionMemory;
import io.osmhub.bench.RotationResult.PreviewDuration;
import io.osmhub.bench.RotationResult.SecretRotation;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulatedObjects;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.Store.StoreEvent;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures changes of a profile and of extensions that all MachineDeployments of simulated clusters use. Not thread-safe. */
final class RotationMeasurement {
    private static final String NAMESPACE = "cloud-init-settings";
    private static final int FOUND_CHANGES = 1;

    private final HubBench<?> bench;
    private final FleetMeasurement measurement;
    private final Path program;
    private final ApiAccess access;
    private long secrets;
    private int changes;
    private volatile @Nullable RotationTimes times;

    /**
     * Lets the hub serve its API with a known certificate. Call it before the hub starts.
     *
     * @param program {@code bin/hub}
     */
    RotationMeasurement(HubBench<?> bench, FleetMeasurement measurement, Path program) throws IOException {
        this.bench = bench;
        this.measurement = measurement;
        this.program = program;
        this.access = ApiAccess.of(bench.setup, bench.fleet);
    }

    /** Leaves the changes in place. */
    RotationResult run() throws IOException, InterruptedException {
        for (SimulatedTenant tenant : bench.fleet.tenants()) {
            secrets += tenant.objects().list("v1", "Secret", NAMESPACE).stream()
                    .filter(secret -> secret.at("/metadata/name").asText().endsWith(RotationTimes.PROVISIONING))
                    .count();
            tenant.objects().observe(event -> onEvent(tenant.namespace(), event));
        }
        long pid = bench.hub().pid();
        SimulatedObjects management = bench.fleet.management().objects();
        SecretRotation profileChange = rotate("profile changed", this::changeProfile);
        long residentBefore = ProcessStats.of(pid).resident();
        LiveHeap heapBefore = LiveHeap.of(pid);
        SecretRotation extensionsCreated = rotate("extensions created", content -> {
            List<ObjectNode> all = bench.fleet.example().extensions();
            // The one with the content comes last, so that a secret that has it has all.
            all.subList(1, all.size()).forEach(management::create);
            management.create(firstExtension(content));
        });
        SecretRotation extensionChange =
                rotate("extension changed", content -> management.replace(firstExtension(content)));
        long residentAfter = ProcessStats.of(pid).resident();
        LiveHeap heapAfter = LiveHeap.of(pid);
        SecretRotation laterProfileChange = rotate("profile changed again", this::changeProfile);
        return new RotationResult(
                secrets,
                profileChange,
                extensionsCreated,
                extensionChange,
                laterProfileChange,
                new ExtensionMemory(residentBefore, residentAfter, heapBefore.bytes(), heapAfter.bytes()),
                preview());
    }

    /** Called under the lock of a cluster's store. */
    private void onEvent(String cluster, StoreEvent event) {
        RotationTimes current = times;
        if (current != null
                && event.resource().equals(ResourceCatalog.SECRETS)
                && event.object().namespace().equals(NAMESPACE)) {
            current.onSecretWritten(
                    cluster, event.object().name(), event.object().tree());
        }
    }

    /** Changes what all use, and returns after all secrets have the new content and all statuses are written. */
    private SecretRotation rotate(String name, Consumer<String> change) throws IOException, InterruptedException {
        bench.progress.begin(name);
        changes++;
        String content = "content " + changes + " of a measured file";
        Map<String, Long> before = bench.fleet.requests();
        RotationTimes current = new RotationTimes(content);
        times = current;
        Duration processor = hubProcessor();
        change.accept(content);
        measurement.await("secrets current", () -> secrets - current.current(), secrets);
        double processorSeconds = FleetMeasurement.seconds(hubProcessor().minus(processor));
        bench.progress.end(Percentiles.of(current.durations()).toString());
        measurement.awaitStatuses(secrets + bench.options.clusters());
        times = null;
        return SecretRotation.of(current, processorSeconds, FleetMeasurement.since(before, bench.fleet.requests()));
    }

    private Duration hubProcessor() throws IOException {
        return ProcessStats.of(bench.hub().pid()).processor();
    }

    private void changeProfile(String content) {
        String profile = bench.fleet.example().profile().at("/metadata/name").asText();
        bench.fleet.stage().addFile(profile, "/etc/bench/change-" + changes, content);
    }

    private ObjectNode firstExtension(String content) {
        ObjectNode extension = bench.fleet.example().extensions().getFirst().deepCopy();
        extension.withObject("/spec/provisioning/files/0").put("content", content);
        return extension;
    }

    private PreviewDuration preview() throws IOException, InterruptedException {
        bench.progress.begin("hub diff");
        Path extension = Files.writeString(
                bench.folder.resolve("extension.yaml"),
                firstExtension("content of a preview").toString());
        File errors = bench.folder.resolve("diff.log").toFile();
        ProcessBuilder command = new ProcessBuilder(
                program.toString(),
                "diff",
                "--all",
                "--filename=" + extension,
                "--output=json",
                "--timeout=5m",
                "--server=" + access.server(),
                "--token-file=" + Files.writeString(bench.folder.resolve("token"), access.token()),
                "--ca-file=" + Files.writeString(bench.folder.resolve("ca.crt"), access.authority()));
        // Recording an AOT cache for later commands would be another load.
        command.environment().put("OSM_HUB_CACHE_DIR", "");
        long began = System.nanoTime();
        Duration processor = hubProcessor();
        Process process = command.redirectError(errors).start();
        byte[] output = process.getInputStream().readAllBytes();
        int code = process.waitFor();
        double seconds = (System.nanoTime() - began) / 1e9;
        double processorSeconds = FleetMeasurement.seconds(hubProcessor().minus(processor));
        // A large fleet may exceed the hub's time limit; the other results stay.
        JsonNode report =
                code == FOUND_CHANGES ? new ObjectMapper().readTree(output) : new ObjectMapper().createObjectNode();
        PreviewDuration preview = new PreviewDuration(
                seconds,
                processorSeconds,
                report.path("changed").asInt(),
                code == FOUND_CHANGES ? "" : Files.readString(errors.toPath()).strip());
        bench.progress.end(RenderBenchCommand.format("%,d changes after %.2f s", preview.changed(), seconds));
        return preview;
    }

    /** Measures when provisioning secrets get a new file, and counts the writes of each secret. Starts with its creation. Thread-safe. */
    static final class RotationTimes {
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
}
