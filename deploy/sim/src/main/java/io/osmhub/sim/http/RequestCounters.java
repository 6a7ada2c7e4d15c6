package io.osmhub.sim.http;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of one cluster. Safe for use by several threads. */
public final class RequestCounters {
    /** What is counted apart: {@code resource} as in kubectl with its subresource ({@code nodes/status}), the path for others. */
    public record RequestSeries(String verb, String resource, String user, int code)
            implements Comparable<RequestSeries> {
        @Override
        public int compareTo(RequestSeries other) {
            return toString().compareTo(other.toString());
        }
    }

    private final Map<RequestSeries, LongAdder> counts = new ConcurrentHashMap<>();

    /** Counts one. */
    public void count(String verb, String resource, String user, int code) {
        counts.computeIfAbsent(new RequestSeries(verb, resource, user, code), _ -> new LongAdder())
                .increment();
    }

    /** All counts so far, in a fixed order. */
    public Map<RequestSeries, Long> all() {
        Map<RequestSeries, Long> all = new TreeMap<>();
        counts.forEach((kind, count) -> all.put(kind, count.sum()));
        return all;
    }

    /** The sum over requests with this verb and resource; empty texts mean any. */
    public long total(String verb, String resource) {
        return counts.entrySet().stream()
                .filter(each -> verb.isEmpty() || verb.equals(each.getKey().verb()))
                .filter(each ->
                        resource.isEmpty() || resource.equals(each.getKey().resource()))
                .mapToLong(each -> each.getValue().sum())
                .sum();
    }

    /** Starts again from nothing. */
    public void reset() {
        counts.clear();
    }
}
