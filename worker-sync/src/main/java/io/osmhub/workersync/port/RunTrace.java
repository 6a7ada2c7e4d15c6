package io.osmhub.workersync.port;

import java.util.List;
import java.util.Map;

/**
 * Trace of one reconcile of a MachineDeployment, from its trigger to the last write. Contains names, numbers and the hub's own
 * texts, but no object content.
 *
 * @param traceId 32 hexadecimal digits, as in the run's log lines
 * @param root from the trigger on; failed if the run left an Error
 */
public record RunTrace(String traceId, TraceSpan root) {
    /**
     * A part of the run, or one of its requests to the worker cluster's or the management cluster's API server.
     *
     * @param id 16 hexadecimal digits; empty if no log line contains it
     * @param attributes texts and whole numbers
     */
    public record TraceSpan(
            String id,
            String name,
            boolean isRequest,
            boolean failed,
            Interval interval,
            Map<String, Object> attributes,
            List<TraceSpan> children) {
        public TraceSpan {
            attributes = Map.copyOf(attributes);
            children = List.copyOf(children);
        }

        /** A part that has no parts itself, and whose failure shows in its parent. */
        public static TraceSpan step(String name, long began, long ended, Map<String, Object> attributes) {
            return new TraceSpan("", name, false, false, new Interval(began, ended), attributes, List.of());
        }
    }

    /** In monotonic nanoseconds. */
    public record Interval(long began, long ended) {}
}
