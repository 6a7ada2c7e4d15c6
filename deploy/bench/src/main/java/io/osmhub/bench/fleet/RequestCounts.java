package io.osmhub.bench.fleet;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.http.RequestCounters;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests to all clusters, by {@code verb resource}. */
record RequestCounts(Map<String, Long> counts) {
    RequestCounts {
        counts = Map.copyOf(counts);
    }

    static RequestCounts of(List<SimulatedCluster> clusters) {
        Map<String, Long> counts = new TreeMap<>();
        for (SimulatedCluster cluster : clusters) {
            for (Map.Entry<RequestCounters.RequestSeries, Long> each :
                    cluster.counters().all().entrySet()) {
                counts.merge(each.getKey().verb() + " " + each.getKey().resource(), each.getValue(), Long::sum);
            }
        }
        return new RequestCounts(counts);
    }

    /** The difference to earlier counts. */
    Map<String, Long> since(RequestCounts earlier) {
        Map<String, Long> since = new TreeMap<>();
        counts.forEach((kind, count) -> {
            long more = count - earlier.counts.getOrDefault(kind, 0L);
            if (more != 0) {
                since.put(kind, more);
            }
        });
        return since;
    }

    /** Whether a new MachineDeployment waits for such a request: not for status, Events, Leases, lists and watches. */
    static boolean isForPublishing(String kind) {
        return !kind.endsWith("/status")
                && !kind.contains("events")
                && !kind.contains("leases")
                && !kind.startsWith("list ")
                && !kind.startsWith("watch ");
    }
}
