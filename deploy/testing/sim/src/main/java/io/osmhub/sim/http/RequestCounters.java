package io.osmhub.sim.http;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of one cluster. Thread-safe. */
public final class RequestCounters {
    /** {@code resource} as in kubectl with its subresource ({@code nodes/status}); the path for non-resource requests. */
    public record RequestSeries(String verb, String resource, String user, int code)
            implements Comparable<RequestSeries> {
        @Override
        public int compareTo(RequestSeries other) {
            return toString().compareTo(other.toString());
        }
    }

    private final Map<RequestSeries, LongAdder> counts = new ConcurrentHashMap<>();

    public void count(String verb, String resource, String user, int code) {
        counts.computeIfAbsent(new RequestSeries(verb, resource, user, code), _ -> new LongAdder())
                .increment();
    }

    /** All counts, sorted. */
    public Map<RequestSeries, Long> all() {
        Map<RequestSeries, Long> all = new TreeMap<>();
        counts.forEach((kind, count) -> all.put(kind, count.sum()));
        return all;
    }

    /** The sum for a verb and a resource; empty texts mean any. */
    public long total(String verb, String resource) {
        return counts.entrySet().stream()
                .filter(each -> verb.isEmpty() || verb.equals(each.getKey().verb()))
                .filter(each ->
                        resource.isEmpty() || resource.equals(each.getKey().resource()))
                .mapToLong(each -> each.getValue().sum())
                .sum();
    }

    public void reset() {
        counts.clear();
    }
}
