package io.osmhub.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.controllers.PublishTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Simulated clusters in the benchmark's process, which measure and count themselves. */
final class BenchFleet implements MeasuredFleet {
    private final SimulatedFleet fleet;
    private final List<SimulatedTenant> tenants = new ArrayList<>();
    private final FleetExample example;

    private BenchFleet(SimulatedFleet fleet, FleetExample example) {
        this.fleet = fleet;
        this.example = example;
    }

    /** A management cluster with the benchmark's profile. */
    static BenchFleet build(Path checkout) throws IOException {
        FleetExample example = FleetExample.read(checkout, SimulatedFleet.PROFILES);
        SimulatedFleet fleet = SimulatedFleet.build(SimulationOptions.fleet());
        fleet.management().objects().create(example.profile());
        return new BenchFleet(fleet, example);
    }

    @Override
    public String kind() {
        return "simulated clusters";
    }

    @Override
    public void addTenant(int machineDeployments) {
        int number = tenants.size() + 1;
        SimulatedTenant tenant = fleet.addTenant("tenant-" + number, "worker-" + number);
        tenants.add(tenant);
        for (int i = 0; i < machineDeployments; i++) {
            create(number - 1, "workers-" + i);
        }
        fleet.register(tenant);
    }

    /** Lets the management cluster have MachineDeployments too, as for {@code hub run --single}: it becomes the next tenant. */
    void addManagementCluster() {
        management().installWorkerPrerequisites();
        tenants.add(new SimulatedTenant(SimulatedFleet.PROFILES, "local", management()));
    }

    /** To register and unregister tenants. */
    SimulatedFleet stage() {
        return fleet;
    }

    @Override
    public void create(int tenant, String name) {
        create(tenant, name, null);
    }

    /** Creates a MachineDeployment with another profile than the benchmark's. */
    void create(int tenant, String name, @Nullable String profile) {
        ObjectNode machineDeployment = example.machineDeployment(name);
        if (profile != null) {
            machineDeployment.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", profile);
        }
        tenants.get(tenant).objects().create(machineDeployment);
    }

    /** The tenants in the order they were added. */
    List<SimulatedTenant> tenants() {
        return List.copyOf(tenants);
    }

    FleetExample example() {
        return example;
    }

    SimulatedCluster management() {
        return fleet.management();
    }

    @Override
    public String managementKubeconfig() {
        return management().kubeconfig();
    }

    @Override
    public int managementPort() {
        return management().port();
    }

    /** Limits concurrent requests of worker clusters (0 for no limit), and delays their responses. */
    void limitConcurrency(int seats, Duration latency) {
        for (SimulatedTenant tenant : tenants) {
            tenant.cluster().faults().seats(seats);
            tenant.cluster().faults().latency(latency);
        }
    }

    @Override
    public List<PublishTimes> publishTimes() {
        return tenants.stream().map(tenant -> tenant.cluster().publishTimes()).toList();
    }

    @Override
    public Map<String, Long> requests() {
        Map<String, Long> counts = new TreeMap<>();
        Consumer<SimulatedCluster> add = cluster -> cluster.counters()
                .all()
                .forEach((series, count) -> counts.merge(series.verb() + " " + series.resource(), count, Long::sum));
        add.accept(fleet.management());
        tenants.forEach(tenant -> add.accept(tenant.cluster()));
        return counts;
    }

    @Override
    public Set<Integer> workerPorts() {
        return tenants.stream().map(tenant -> tenant.cluster().port()).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        fleet.close();
    }
}
