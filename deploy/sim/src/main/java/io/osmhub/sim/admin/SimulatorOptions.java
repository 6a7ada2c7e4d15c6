package io.osmhub.sim.admin;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the simulator.
 *
 * @param clusters how many worker clusters, besides one management cluster
 * @param basePort port of the management cluster, the workers follow; 0 takes free ones
 * @param adminPort port of the admin endpoint; 0 takes a free one
 * @param kubeconfigs folder for the kubeconfigs; null writes none
 * @param stateFile where the addresses are written once everything listens; null writes none
 * @param rbac whether roles decide; otherwise everything is allowed
 * @param machines whether pretend machine-controllers run in the workers
 * @param bootMillis how long a machine takes to come up
 */
public record SimulatorOptions(
        int clusters,
        int basePort,
        int adminPort,
        @Nullable Path kubeconfigs,
        @Nullable Path stateFile,
        boolean rbac,
        boolean machines,
        long bootMillis) {
    /** What {@code --help} prints. */
    public static final String HELP = """
            Simulated Kubernetes API servers: one management cluster and any number of worker clusters, on loopback.
              --clusters N       worker clusters (3)
              --base-port P      port of the management cluster, the workers follow (any free ones)
              --admin-port P     port of the HTTP endpoint for faults, counters and objects (any free one)
              --kubeconfigs DIR  write one kubeconfig for each cluster there
              --state-file FILE  write addresses and files as JSON there, once everything listens
              --rbac             let roles decide what a user may do
              --machines         run a pretend machine-controller in each worker cluster
              --boot-millis N    how long a machine takes to come up (0)
            """;

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException naming the option that cannot be used
     */
    public static SimulatorOptions parse(List<String> arguments) {
        SimulatorOptions options = new SimulatorOptions(3, 0, 0, null, null, false, false, 0);
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            options = options.with(rest.pop(), rest);
        }
        return options;
    }

    private SimulatorOptions with(String option, Deque<String> rest) {
        return switch (option) {
            case "--rbac" ->
                new SimulatorOptions(clusters, basePort, adminPort, kubeconfigs, stateFile, true, machines, bootMillis);
            case "--machines" ->
                new SimulatorOptions(clusters, basePort, adminPort, kubeconfigs, stateFile, rbac, true, bootMillis);
            case "--clusters" ->
                new SimulatorOptions(
                        number(option, rest), basePort, adminPort, kubeconfigs, stateFile, rbac, machines, bootMillis);
            case "--base-port" ->
                new SimulatorOptions(
                        clusters, number(option, rest), adminPort, kubeconfigs, stateFile, rbac, machines, bootMillis);
            case "--admin-port" ->
                new SimulatorOptions(
                        clusters, basePort, number(option, rest), kubeconfigs, stateFile, rbac, machines, bootMillis);
            case "--kubeconfigs" ->
                new SimulatorOptions(
                        clusters,
                        basePort,
                        adminPort,
                        Path.of(value(option, rest)),
                        stateFile,
                        rbac,
                        machines,
                        bootMillis);
            case "--state-file" ->
                new SimulatorOptions(
                        clusters,
                        basePort,
                        adminPort,
                        kubeconfigs,
                        Path.of(value(option, rest)),
                        rbac,
                        machines,
                        bootMillis);
            case "--boot-millis" ->
                new SimulatorOptions(
                        clusters, basePort, adminPort, kubeconfigs, stateFile, rbac, machines, number(option, rest));
            default -> throw new IllegalArgumentException("unknown option " + option);
        };
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.pop();
    }

    private static int number(String option, Deque<String> rest) {
        String value = value(option, rest);
        if (!value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("%s needs a number, not \"%s\"".formatted(option, value));
        }
        return Integer.parseInt(value);
    }
}
