package io.osmhub.bench.fleet;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.count.RequestCounters;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests of all clusters in sum, by {@code verb resource}. */
record Requests(Map<String, Long> counts) {
    Requests {
        counts = Map.copyOf(counts);
    }

    static Requests of(List<SimulatedCluster> clusters) {
        Map<String, Long> counts = new TreeMap<>();
        for (SimulatedCluster cluster : clusters) {
            for (Map.Entry<RequestCounters.Kind, Long> each :
                    cluster.counters().all().entrySet()) {
                counts.merge(each.getKey().verb() + " " + each.getKey().resource(), each.getValue(), Long::sum);
            }
        }
        return new Requests(counts);
    }

    /** What came since an earlier moment. */
    Map<String, Long> since(Requests earlier) {
        Map<String, Long> since = new TreeMap<>();
        counts.forEach((kind, count) -> {
            long more = count - earlier.counts.getOrDefault(kind, 0L);
            if (more != 0) {
                since.put(kind, more);
            }
        });
        return since;
    }

    /**
     * Whether a request is one that a new MachineDeployment waits for. Status, Events and Leases are written beside, and lists and watches
     * belong to the connection.
     */
    static boolean isForPublishing(String kind) {
        return !kind.endsWith("/status")
                && !kind.contains("events")
                && !kind.contains("leases")
                && !kind.startsWith("list ")
                && !kind.startsWith("watch ");
    }
}
