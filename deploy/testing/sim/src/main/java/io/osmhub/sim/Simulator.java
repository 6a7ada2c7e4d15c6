package io.osmhub.sim;

import io.osmhub.sim.auth.Authorizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub sim}: starts the clusters, writes their kubeconfigs, and runs until it is terminated by a signal. */
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

    @Option(names = "--kubeconfigs", paramLabel = "DIR", description = "Write a kubeconfig per cluster to this folder.")
    private @Nullable Path kubeconfigs;

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
        if (clusters < 0 || basePort < 0 || bootMillis < 0) {
            throw new ParameterException(spec.commandLine(), "expected numbers of at least 0");
        }
        SimulatedClusters started = start();
        if (kubeconfigs != null) {
            Files.createDirectories(kubeconfigs);
            for (SimulatedCluster cluster : started.all()) {
                Files.writeString(kubeconfigs.resolve(cluster.name() + ".kubeconfig"), cluster.kubeconfig());
            }
        }
        System.out.printf(
                "sim: management cluster at %s, %d worker clusters%n",
                started.cluster(0).url(), clusters);
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
}
