package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub sim}: starts the clusters, writes their addresses, and runs until it is terminated by a signal. */
@Command(
        name = "./hub sim",
        description =
                "Run simulated Kubernetes API servers on loopback: one management cluster and any number of worker clusters.",
        mixinStandardHelpOptions = true)
public final class Simulator implements Callable<Integer> {
    private static final int UNUSABLE_INPUT = 2;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of worker clusters (${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--base-port",
            paramLabel = "P",
            description = "Port of the management cluster, followed by the workers' (default: free ports).")
    private int basePort;

    @Option(
            names = "--admin-port",
            paramLabel = "P",
            description = "Port of the HTTP endpoint for faults, counters and objects (default: a free port).")
    private int adminPort;

    @Option(names = "--kubeconfigs", paramLabel = "DIR", description = "Write a kubeconfig per cluster to this folder.")
    private @Nullable Path kubeconfigs;

    @Option(
            names = "--state-file",
            paramLabel = "FILE",
            description = "Write addresses and files as JSON once all servers listen.")
    private @Nullable Path stateFile;

    @Option(names = "--rbac", description = "Enforce RBAC.")
    private boolean rbac;

    @Option(names = "--machines", description = "Run a simulated machine-controller in each worker cluster.")
    private boolean machines;

    @Option(
            names = "--boot-millis",
            paramLabel = "N",
            defaultValue = "0",
            description = "Boot time of a machine (${DEFAULT-VALUE}).")
    private long bootMillis;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    public static void main(String[] arguments) {
        int code = commandLine().execute(arguments);
        // On success, the threads of the clusters keep the process alive.
        if (code != 0) {
            System.exit(code);
        }
    }

    static CommandLine commandLine() {
        return new CommandLine(new Simulator()).setParameterExceptionHandler((mistake, _) -> {
            mistake.getCommandLine().getErr().println("sim: " + mistake.getMessage());
            return UNUSABLE_INPUT;
        });
    }

    @Override
    public Integer call() throws IOException {
        if (clusters < 0 || basePort < 0 || adminPort < 0 || bootMillis < 0) {
            throw new ParameterException(spec.commandLine(), "expected numbers of at least 0");
        }
        SimulatedClusters started = start();
        AdminServer admin = AdminServer.start(started, adminPort);
        ObjectNode state = state(started, admin);
        if (stateFile != null) {
            // Readers that wait for the file must not see a partial one.
            Path part = stateFile.resolveSibling(stateFile.getFileName() + ".part");
            Files.write(part, JsonTrees.bytes(state));
            Files.move(part, stateFile, StandardCopyOption.ATOMIC_MOVE);
        }
        System.out.printf(
                "sim: management cluster at %s, %d worker clusters, admin at %s%n",
                started.cluster(0).url(), clusters, admin.url());
        return 0;
    }

    private SimulatedClusters start() {
        SimulatedClusters started = SimulatedClusters.start(
                0,
                SimulationOptions.fleet()
                        .withBasePort(basePort)
                        .withAuthorization(rbac ? Authorizer.Mode.RBAC : Authorizer.Mode.ALWAYS_ALLOW));
        started.add("management");
        for (int i = 1; i <= clusters; i++) {
            SimulatedCluster worker = started.add("worker-%04d".formatted(i));
            worker.installWorkerPrerequisites();
            if (machines) {
                worker.startMachineController(Duration.ofMillis(bootMillis));
            }
        }
        return started;
    }

    private ObjectNode state(SimulatedClusters started, AdminServer admin) throws IOException {
        ObjectNode state = JsonTrees.object().put("admin", admin.url());
        ArrayNode list = state.putArray("clusters");
        if (kubeconfigs != null) {
            Files.createDirectories(kubeconfigs);
        }
        for (SimulatedCluster cluster : started.all()) {
            ObjectNode entry = list.addObject()
                    .put("name", cluster.name())
                    .put("url", cluster.url())
                    .put("token", cluster.adminToken());
            if (kubeconfigs != null) {
                Path file = kubeconfigs.resolve(cluster.name() + ".kubeconfig");
                Files.writeString(file, cluster.kubeconfig());
                entry.put("kubeconfig", file.toAbsolutePath().toString());
            }
        }
        return state;
    }
}
