package io.osmhub.bench.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.Manifests;
import io.osmhub.demo.stage.Stage;
import io.osmhub.demo.stage.Tenant;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The simulated clusters, in the process of the benchmark: it creates MachineDeployments and sees when their secrets are there. */
final class Fleet implements AutoCloseable {
    /** Namespace of all MachineDeployments. */
    static final String NAMESPACE = "kube-system";

    private final Stage stage;
    private final List<Tenant> tenants = new ArrayList<>();
    private final ObjectNode example;

    private Fleet(Stage stage, ObjectNode example) {
        this.stage = stage;
        this.example = example;
    }

    /** A management cluster with the profile that is kept for measuring: as large as the one that ubuntu nodes get. */
    static Fleet build(Path checkout) throws IOException {
        Path cases = checkout.resolve("deploy/bench/cases/ubuntu");
        Stage stage = Stage.build(SimulationOptions.fleet());
        ObjectNode profile =
                Manifests.read(Files.readString(cases.resolve("osp.yaml"))).getFirst();
        profile.withObject("/metadata").put("namespace", Stage.PROFILES);
        stage.management().objects().create(profile);
        return new Fleet(
                stage,
                Manifests.read(Files.readString(cases.resolve("machinedeployment.yaml")))
                        .getFirst());
    }

    /** Adds and registers a tenant that has MachineDeployments already. */
    void addTenant(int machineDeployments) {
        int number = tenants.size() + 1;
        Tenant tenant = stage.addTenant("tenant-" + number, "worker-" + number);
        tenants.add(tenant);
        for (int i = 0; i < machineDeployments; i++) {
            create(number - 1, "workers-" + i);
        }
        stage.register(tenant);
    }

    /** Creates a MachineDeployment in the tenant with this index. */
    void create(int tenant, String name) {
        create(tenant, name, null);
    }

    /** Creates a MachineDeployment with another profile than the one that is kept for measuring. */
    void create(int tenant, String name, @Nullable String profile) {
        ObjectNode machineDeployment = example.deepCopy();
        ObjectNode metadata = machineDeployment.withObject("/metadata");
        metadata.put("namespace", NAMESPACE).put("name", name);
        if (profile != null) {
            metadata.withObject("/annotations").put("k8c.io/operating-system-profile", profile);
        }
        tenants.get(tenant).objects().create(machineDeployment);
    }

    /** The tenants in the order in which they were added. */
    List<Tenant> tenants() {
        return List.copyOf(tenants);
    }

    SimulatedCluster management() {
        return stage.management();
    }

    /** Worker clusters take so many requests at once (0 for any number), and answer so much later. */
    void throttle(int seats, Duration latency) {
        for (Tenant tenant : tenants) {
            tenant.cluster().faults().seats(seats);
            tenant.cluster().faults().latency(latency);
        }
    }

    /** Forgets all latencies measured so far. */
    void startMeasuring() {
        tenants.forEach(tenant -> tenant.cluster().publishTimes().reset());
    }

    /** How many MachineDeployments created since then have no secrets yet. */
    long pending() {
        return tenants.stream()
                .mapToLong(tenant -> tenant.cluster().publishTimes().pending())
                .sum();
    }

    /** How long the others waited. */
    Collection<Duration> latencies() {
        return tenants.stream()
                .flatMap(tenant -> tenant.cluster().publishTimes().millis().stream())
                .map(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toList();
    }

    /** Requests to all clusters so far. */
    Requests requests() {
        List<SimulatedCluster> all = new ArrayList<>(List.of(stage.management()));
        tenants.forEach(tenant -> all.add(tenant.cluster()));
        return Requests.of(all);
    }

    Set<Integer> workerPorts() {
        return tenants.stream().map(tenant -> tenant.cluster().port()).collect(Collectors.toSet());
    }

    int managementPort() {
        return stage.management().port();
    }

    String managementKubeconfig() {
        return stage.management().kubeconfig();
    }

    int size() {
        return tenants.size();
    }

    @Override
    public void close() {
        stage.close();
    }
}
