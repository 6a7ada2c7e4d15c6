package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.admin.SimulatorOptions;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.json.JsonTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The simulator as a process: starts the clusters, writes where they are, and runs until it is ended by a signal. */
public final class Simulator {
    private Simulator() {}

    /** See {@link SimulatorOptions#HELP}. */
    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(SimulatorOptions.HELP);
            return;
        }
        SimulatorOptions options;
        try {
            options = SimulatorOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException wrong) {
            System.err.println("sim: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        SimulatedClusters clusters = start(options);
        AdminServer admin = AdminServer.start(clusters, options.adminPort());
        ObjectNode state = state(clusters, admin, options.kubeconfigs());
        Path file = options.stateFile();
        if (file != null) {
            // Readers that wait for the file must not see a partial one.
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.write(part, JsonTrees.bytes(state));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        System.out.printf(
                "sim: management cluster at %s, %d worker clusters, admin at %s%n",
                clusters.cluster(0).url(), options.clusters(), admin.url());
    }

    private static SimulatedClusters start(SimulatorOptions options) {
        SimulationOptions simulation = SimulationOptions.fleet()
                .withBasePort(options.basePort())
                .withAuthorization(options.rbac() ? Authorizer.Mode.RBAC : Authorizer.Mode.ALWAYS_ALLOW);
        SimulatedClusters clusters = SimulatedClusters.start(0, simulation);
        clusters.add("management");
        for (int i = 1; i <= options.clusters(); i++) {
            SimulatedCluster worker = clusters.add("worker-%04d".formatted(i));
            worker.installWorkerPrerequisites();
            if (options.machines()) {
                worker.startMachineController(Duration.ofMillis(options.bootMillis()));
            }
        }
        return clusters;
    }

    private static ObjectNode state(SimulatedClusters clusters, AdminServer admin, @Nullable Path folder)
            throws IOException {
        ObjectNode state = JsonTrees.object().put("admin", admin.url());
        ArrayNode list = state.putArray("clusters");
        if (folder != null) {
            Files.createDirectories(folder);
        }
        for (SimulatedCluster cluster : clusters.all()) {
            ObjectNode entry = list.addObject()
                    .put("name", cluster.name())
                    .put("url", cluster.url())
                    .put("token", cluster.adminToken());
            if (folder != null) {
                Path file = folder.resolve(cluster.name() + ".kubeconfig");
                Files.writeString(file, cluster.kubeconfig());
                entry.put("kubeconfig", file.toAbsolutePath().toString());
            }
        }
        return state;
    }
}
