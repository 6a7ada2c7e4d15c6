package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a hub that starts again asks and writes where nothing has changed. */
class RestartTest {
    private static final int TENANTS = 3;
    /** In a namespace that cannot exist: all rights are granted cluster-wide. */
    private static final long REVIEWS = 1;

    @TempDir
    private Path folder;

    @Test
    void asksOnceForRightsAndWritesNoEvents() throws Exception {
        try (SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults())) {
            Path kubeconfig = folder.resolve("kubeconfig");
            Workspace.writeKubeconfig(kubeconfig, List.<SimulatedCluster>of(stage.management()));
            Path file = Files.writeString(folder.resolve("hub.yaml"), Workspace.hubConfiguration(kubeconfig));
            List<SimulatedCluster> workers = new ArrayList<>();
            for (int i = 0; i < TENANTS; i++) {
                SimulatedTenant tenant = stage.addTenant("cluster-" + i, "worker-" + i);
                stage.register(tenant);
                new DemoTenant(tenant)
                        .create(new MachineDeploymentName("kube-system", "workers"), MachineFlavor.UBUNTU_ON_AWS, 1);
                workers.add(tenant.cluster());
            }
            serve(file, stage, workers);
            Map<String, Long> before = counts(stage, workers);

            serve(file, stage, workers);

            Map<String, Long> asked = counts(stage, workers);
            before.forEach((request, count) -> asked.merge(request, -count, Long::sum));
            assertThat(asked).allSatisfy((request, count) -> {
                if (request.contains(" create selfsubjectrulesreviews") && !request.startsWith("management ")) {
                    assertThat(count).as(request).isEqualTo(REVIEWS);
                } else if (request.contains("events.k8s.io")) {
                    assertThat(count).as(request).isZero();
                }
            });
            assertThat(asked.keySet()).anyMatch(request -> request.contains(" create selfsubjectrulesreviews"));
        }
    }

    /** Runs a hub until all is published and nothing more is written. */
    private static void serve(Path file, SimulatedFleet stage, List<SimulatedCluster> workers) throws Exception {
        try (HubService service = HubService.run(LiveApi.read(file), false, "osm-hub-restart")) {
            LiveApi.awaitTrue(() -> service.hub().tenants().stream()
                            .filter(view -> view.sync() != null
                                    && view.sync().machineDeployments().stream()
                                            .anyMatch(state ->
                                                    state.newNodes().name().equals("CURRENT")))
                            .count()
                    == TENANTS);
            long[] writes = {-1};
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .during(Duration.ofSeconds(1))
                    .until(() -> {
                        long earlier = writes[0];
                        writes[0] = writes(stage, workers);
                        return writes[0] == earlier;
                    });
        }
    }

    private static long writes(SimulatedFleet stage, List<SimulatedCluster> workers) {
        return counts(stage, workers).entrySet().stream()
                .filter(each ->
                        each.getKey().contains(" create ") || each.getKey().contains(" patch "))
                .filter(each -> !each.getKey().contains("leases"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static Map<String, Long> counts(SimulatedFleet stage, List<SimulatedCluster> workers) {
        return Stream.concat(Stream.of(stage.management()), workers.stream())
                .flatMap(cluster -> cluster.counters().all().entrySet().stream()
                        .map(each -> Map.entry(
                                cluster.name() + " " + each.getKey().verb() + " "
                                        + each.getKey().resource(),
                                each.getValue())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
    }
}
