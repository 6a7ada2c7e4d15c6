package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.bench.MeasuredFleet.FleetExample;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.e2e.cluster.TrustedHttpClient;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.auth.SimulatedAuthority.CertifiedKey;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures the memory of a process that serves one cluster: idle, then after as many MachineDeployments or their reviews. */
final class OneClusterBench extends HubBench<OneClusterBench.OneClusterResult> {
    private static final int WEBHOOK_PORT = 9443;
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private final Mode mode;
    private final SimulatedAuthority authority = SimulatedAuthority.create("bench");

    /** The process to measure, with the most resident memory that it should take when it is loaded. */
    enum Mode {
        CONTROLLER(110),
        SINGLE(110),
        WEBHOOK(70);

        private final int targetMebibytes;

        Mode(int targetMebibytes) {
            this.targetMebibytes = targetMebibytes;
        }
    }

    /**
     * The keys of the JSON file. Memory in bytes.
     *
     * @param allSeconds until the last of the MachineDeployments, created at once, had its secrets, or until the last review
     * @param resident of the loaded process by mapped file
     * @param nativeMemory the JVM's own account; empty unless enabled by {@code JAVA_OPTS=-XX:NativeMemoryTracking=summary}
     */
    record OneClusterResult(
            String time,
            String machine,
            List<String> command,
            double readySeconds,
            Memory idle,
            double allSeconds,
            Percentiles latency,
            Memory loaded,
            double processorSeconds,
            long liveHeap,
            List<LiveHeap.ClassUsage> largest,
            Map<String, Long> resident,
            String nativeMemory) {}

    /** Resident memory, and its part without the share of other processes. */
    record Memory(long resident, long proportional, long peak) {
        static Memory of(ProcessStats stats) {
            return new Memory(stats.resident(), stats.proportional(), stats.peakResident());
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.1f MiB (PSS %.1f MiB), peak %.1f MiB",
                    resident / 1048576.0,
                    proportional / 1048576.0,
                    peak / 1048576.0);
        }
    }

    OneClusterBench(Mode mode, FleetBench options) {
        super(mode.name().toLowerCase(Locale.ROOT), options);
        this.mode = mode;
    }

    @Override
    OneClusterResult run() throws IOException, InterruptedException {
        int count = options.machineDeployments();
        fleet.addManagementCluster();
        List<String> command = command();
        BenchHubProcess hub = start(command, "", setup.log("hub.log"));
        double ready = hub.awaitReady(setup.healthPort()).toNanos() / 1e9;
        Memory idle = settle(hub);
        progress.begin("load");
        long began = System.nanoTime();
        if (mode == Mode.WEBHOOK) {
            review(TrustedHttpClient.of(authority.pem()), WEBHOOK_PORT, fleet.example(), count);
        } else {
            fleet.createAll("workers-", count, number -> 0);
            awaitPublished(hub);
        }
        double all = (System.nanoTime() - began) / 1e9;
        progress.end(String.format(Locale.ROOT, "all after %.2f s", all));
        Memory loaded = settle(hub);
        double processor = ProcessStats.of(hub.pid()).processor().toMillis() / 1e3;
        Map<String, Long> resident = ProcessStats.residentByFile(hub.pid());
        String nativeMemory = LiveHeap.runJcmd(hub.pid(), "VM.native_memory", "summary");
        LiveHeap heap = LiveHeap.of(hub.pid());
        hub.stop(LONGEST_WAIT);
        return new OneClusterResult(
                now(),
                machine,
                command,
                ready,
                idle,
                all,
                Percentiles.of(fleet.latencies()),
                loaded,
                processor,
                heap.bytes(),
                heap.largest(),
                resident,
                nativeMemory.contains("not enabled") ? "" : nativeMemory);
    }

    private List<String> command() throws IOException, InterruptedException {
        Path program = options.program == null ? programWithCache() : options.program.toAbsolutePath();
        String health = "127.0.0.1:" + setup.healthPort();
        String metrics = "127.0.0.1:" + setup.metricsPort();
        return switch (mode) {
            case SINGLE -> List.of(program.toString(), "run", "--single", "--config=" + setup.configuration());
            case CONTROLLER ->
                List.of(
                        program.toString(),
                        "controller",
                        "-kubeconfig=" + setup.configuration().resolveSibling("kubeconfig"),
                        "-namespace=" + SimulatedFleet.PROFILES,
                        "-health-probe-address=" + health,
                        "-metrics-address=" + metrics);
            case WEBHOOK ->
                List.of(
                        program.toString(),
                        "webhook",
                        "-namespace=" + SimulatedFleet.PROFILES,
                        "-cert-dir=" + writeCertificate(),
                        "-health-probe-bind-address=" + health,
                        "-metrics-bind-address=" + metrics);
        };
    }

    private Path writeCertificate() throws IOException {
        CertifiedKey serving = authority.serving();
        Files.writeString(folder.resolve("tls.crt"), serving.certificatePem());
        Files.writeString(folder.resolve("tls.key"), serving.keyPem());
        return folder;
    }

    private Memory settle(BenchHubProcess hub) throws IOException, InterruptedException {
        progress.begin("idle");
        Thread.sleep(Duration.ofSeconds(options.idleSeconds()));
        hub.requireAlive();
        Memory memory = Memory.of(ProcessStats.of(hub.pid()));
        progress.end(memory.toString());
        return memory;
    }

    private void awaitPublished(BenchHubProcess hub) throws IOException, InterruptedException {
        long began = System.nanoTime();
        for (long left = fleet.pending(); left > 0; left = fleet.pending()) {
            hub.requireAlive();
            if (System.nanoTime() - began > LONGEST_WAIT.toNanos()) {
                throw new IOException(
                        left + " MachineDeployments are not published; the hub's log is " + setup.log(""));
            }
            Thread.sleep(BETWEEN_LOOKS);
        }
    }

    /** Sends reviews of MachineDeployments and of the profile, one at a time as an API server does. */
    static void review(HttpClient client, int port, FleetExample example, int count)
            throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            review(client, port, "/mutate-v1alpha1-machinedeployment", example.machineDeployment("workers-" + i));
        }
        review(client, port, "/operatingsystemprofile", example.profile());
    }

    private static void review(HttpClient client, int port, String path, JsonNode object)
            throws IOException, InterruptedException {
        ObjectNode review =
                JsonTrees.object().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        review.putObject("request").put("uid", "1").put("operation", "CREATE").set("object", object);
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(review.toString()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (!response.body().contains("\"allowed\":true")) {
            throw new IOException("review: " + response.statusCode() + " " + response.body());
        }
    }

    @Override
    boolean isMissed(OneClusterResult result) {
        return result.loaded().resident() > (long) mode.targetMebibytes << 20;
    }

    @Override
    void print(OneClusterResult result) {
        System.out.printf(
                Locale.ROOT,
                "%s%n%s%nready       %.2f s%nidle        %s%nload        all %d after %.2f s; %s%nloaded      %s, at most %d MiB%nlive heap   %.1f MiB%nprocessor   %.1f s%n%s%n",
                result.machine(),
                String.join(" ", result.command()),
                result.readySeconds(),
                result.idle(),
                options.machineDeployments(),
                result.allSeconds(),
                result.latency(),
                result.loaded(),
                mode.targetMebibytes,
                result.liveHeap() / 1048576.0,
                result.processorSeconds(),
                result.nativeMemory());
        result.resident().entrySet().stream()
                .filter(mapped -> mapped.getValue() >= 1 << 20)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(mapped -> System.out.printf(
                        Locale.ROOT, "%8.1f MiB  %s%n", mapped.getValue() / 1048576.0, mapped.getKey()));
    }
}
