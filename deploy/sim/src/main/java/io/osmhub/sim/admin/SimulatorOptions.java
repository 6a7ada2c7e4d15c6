package io.osmhub.sim.admin;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the simulator.
 *
 * @param clusters number of worker clusters, in addition to one management cluster
 * @param basePort port of the management cluster, followed by the workers'; 0 for free ports
 * @param adminPort port of the admin endpoint; 0 for a free port
 * @param kubeconfigs folder for the kubeconfigs; null for none
 * @param stateFile file for the addresses, written once all servers listen; null for none
 * @param rbac whether to enforce RBAC; otherwise everything is allowed
 * @param machines whether to run simulated machine-controllers in the workers
 * @param bootMillis boot time of a machine
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
    /** The text of {@code --help}. */
    public static final String HELP = """
            Run simulated Kubernetes API servers on loopback: one management cluster and any number of worker clusters.
              --clusters N       number of worker clusters (default: 3)
              --base-port P      port of the management cluster, followed by the workers' (default: free ports)
              --admin-port P     port of the HTTP endpoint for faults, counters and objects (default: a free port)
              --kubeconfigs DIR  write a kubeconfig per cluster to this folder
              --state-file FILE  write addresses and files as JSON once all servers listen
              --rbac             enforce RBAC
              --machines         run a simulated machine-controller in each worker cluster
              --boot-millis N    boot time of a machine (default: 0)
            """;

    /**
     * Parses a command line.
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
