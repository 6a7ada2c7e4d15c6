package io.osmhub.bench;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of one run. The fields are the keys of the JSON file.
 *
 * @param measuredAt RFC 3339, UTC
 * @param hub the command that started the hub
 * @param firstStart start with every MachineDeployment waiting for its first configuration
 * @param restart start with everything already published
 * @param requestsPerMachineDeployment to worker and management clusters, by verb and resource, from a MachineDeployment's creation
 *     until both secrets are readable
 * @param idle while nothing changes
 * @param largestClasses in the idle heap
 * @param rotations null unless measured
 */
record FleetResult(
        String measuredAt,
        String machine,
        List<String> hub,
        int clusters,
        int machineDeploymentsPerCluster,
        Start firstStart,
        Start restart,
        Memory memory,
        Connections connections,
        Map<String, Double> requestsPerMachineDeployment,
        Percentiles singles,
        Burst burstInOneTenant,
        Burst oneInEachTenant,
        Idle idle,
        double stopSeconds,
        List<LiveHeap.ClassUsage> largestClasses,
        @Nullable RotationResult rotations) {

    /**
     * Seconds from process start until ready and until all work is done.
     *
     * @param processorSeconds processor time of the hub until then, hardly affected by other programs
     * @param benchmarkSeconds that of the benchmark with its simulated clusters meanwhile
     */
    record Start(double readySeconds, double allSyncedSeconds, double processorSeconds, double benchmarkSeconds) {}

    /** In bytes. {@code residentAtRest} is after all work, before the collection for the live heap. */
    record Memory(
            long residentAfterFirstStart,
            long residentAtRest,
            long proportionalAtRest,
            long residentAfterRestart,
            long peakResident,
            long liveHeap,
            long liveObjects) {}

    record Connections(int toWorkerClusters, int toManagementCluster, int threads) {}

    /** {@code allSeconds} is from the first creation to the last pair of secrets. */
    record Burst(int machineDeployments, Percentiles latency, double allSeconds) {}

    /** In this time: share of one processor in per cent, and requests by verb and resource. */
    record Idle(double seconds, double processorPercent, Map<String, Long> requests) {}

    /** Total requests for one new MachineDeployment. */
    double requestsInSum() {
        return requestsPerMachineDeployment.values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
