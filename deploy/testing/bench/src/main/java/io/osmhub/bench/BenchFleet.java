package io.osmhub.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.PackedManifests;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The simulated clusters, in the benchmark's process: creates MachineDeployments and measures when their secrets appear. */
final class BenchFleet implements AutoCloseable {
    /** Namespace of all MachineDeployments. */
    static final String NAMESPACE = "kube-system";

    private final SimulatedFleet stage;
    private final List<SimulatedTenant> tenants = new ArrayList<>();
    private final ObjectNode example;

    private BenchFleet(SimulatedFleet stage, ObjectNode example) {
        this.stage = stage;
        this.example = example;
    }

    /** A management cluster with the benchmark profile, which is as large as OSM's for ubuntu. */
    static BenchFleet build(Path checkout) throws IOException {
        Path cases = checkout.resolve("deploy/testing/bench/cases/ubuntu");
        SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.fleet());
        ObjectNode profile = PackedManifests.read(Files.readString(cases.resolve("osp.yaml")))
                .getFirst();
        profile.withObject("/metadata").put("namespace", SimulatedFleet.PROFILES);
        stage.management().objects().create(profile);
        return new BenchFleet(
                stage,
                PackedManifests.read(Files.readString(cases.resolve("machinedeployment.yaml")))
                        .getFirst());
    }

    /** Adds and registers a tenant with existing MachineDeployments. */
    void addTenant(int machineDeployments) {
        int number = tenants.size() + 1;
        SimulatedTenant tenant = stage.addTenant("tenant-" + number, "worker-" + number);
        tenants.add(tenant);
        for (int i = 0; i < machineDeployments; i++) {
            create(number - 1, "workers-" + i);
        }
        stage.register(tenant);
    }

    /** Removes the benchmark's profile. */
    void removeProfile() {
        stage.management()
                .objects()
                .delete(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        SimulatedFleet.PROFILES,
                        example.at("/metadata/annotations/k8c.io~1operating-system-profile")
                                .asText());
    }

    /** To register and unregister tenants. */
    SimulatedFleet stage() {
        return stage;
    }

    /** Creates a MachineDeployment in the tenant with this index. */
    void create(int tenant, String name) {
        create(tenant, name, null);
    }

    /** Creates a MachineDeployment with another profile than the benchmark's. */
    void create(int tenant, String name, @Nullable String profile) {
        ObjectNode machineDeployment = example.deepCopy();
        ObjectNode metadata = machineDeployment.withObject("/metadata");
        metadata.put("namespace", NAMESPACE).put("name", name);
        if (profile != null) {
            metadata.withObject("/annotations").put("k8c.io/operating-system-profile", profile);
        }
        tenants.get(tenant).objects().create(machineDeployment);
    }

    /** The tenants in the order they were added. */
    List<SimulatedTenant> tenants() {
        return List.copyOf(tenants);
    }

    SimulatedCluster management() {
        return stage.management();
    }

    /** Limits concurrent requests of worker clusters (0 for no limit), and delays their responses. */
    void limitConcurrency(int seats, Duration latency) {
        for (SimulatedTenant tenant : tenants) {
            tenant.cluster().faults().seats(seats);
            tenant.cluster().faults().latency(latency);
        }
    }

    /** Discards all measured latencies. */
    void startMeasuring() {
        tenants.forEach(tenant -> tenant.cluster().publishTimes().reset());
    }

    /** Number of MachineDeployments created since then without secrets. */
    long pending() {
        return tenants.stream()
                .mapToLong(tenant -> tenant.cluster().publishTimes().pending())
                .sum();
    }

    /** Latencies of the others. */
    Collection<Duration> latencies() {
        return tenants.stream()
                .flatMap(tenant -> tenant.cluster().publishTimes().millis().stream())
                .map(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toList();
    }

    /** Requests to all clusters so far, by {@code verb resource}. */
    Map<String, Long> requests() {
        Map<String, Long> counts = new TreeMap<>();
        Consumer<SimulatedCluster> add = cluster -> cluster.counters()
                .all()
                .forEach((series, count) -> counts.merge(series.verb() + " " + series.resource(), count, Long::sum));
        add.accept(stage.management());
        tenants.forEach(tenant -> add.accept(tenant.cluster()));
        return counts;
    }

    Set<Integer> workerPorts() {
        return tenants.stream().map(tenant -> tenant.cluster().port()).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        stage.close();
    }

    /** The difference between two results of {@link #requests}. */
    static Map<String, Long> since(Map<String, Long> earlier, Map<String, Long> later) {
        Map<String, Long> since = new TreeMap<>(later);
        earlier.forEach((kind, count) -> since.merge(kind, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        return since;
    }

    /** Whether a new MachineDeployment waits for such a request: not for status, Events, Leases, lists and watches. */
    static boolean isForPublishing(String kind) {
        return !kind.endsWith("/status")
                && !kind.contains("events")
                && !kind.contains("leases")
                && !kind.startsWith("list ")
                && !kind.startsWith("watch ");
    }
}
