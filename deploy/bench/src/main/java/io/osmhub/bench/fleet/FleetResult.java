package io.osmhub.bench.fleet;

import java.util.List;
import java.util.Map;

/**
 * What one run measured. Its fields are the keys of the JSON file.
 *
 * @param measuredAt RFC 3339, UTC
 * @param hub the command that started the hub
 * @param firstStart start with every MachineDeployment waiting for its first configuration
 * @param restart start with everything published already
 * @param requestsPerMachineDeployment on the worker clusters and the management cluster, by verb and resource, for a new
 *     MachineDeployment until both secrets were readable
 * @param idle while nothing changed
 * @param largestClasses what the heap holds at rest
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
        List<LiveHeap.OfClass> largestClasses) {

    /**
     * Seconds since the process was started until it said it was ready, and until nothing was left to do; and the processor time that it took
     * until then, which other programs on the machine hardly change.
     */
    record Start(double readySeconds, double allSyncedSeconds, double processorSeconds) {}

    /** In bytes. {@code residentAtRest} is after everything, before the collection that the live heap asks for. */
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

    /** Over so many seconds: share of one processor in per cent, and requests by verb and resource. */
    record Idle(double seconds, double processorPercent, Map<String, Long> requests) {}

    /** Requests in sum for one new MachineDeployment. */
    double requestsInSum() {
        return requestsPerMachineDeployment.values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
