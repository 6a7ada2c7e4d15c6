package io.osmhub.workersync.port;

import io.osmhub.workersync.port.SyncObserver.Result;
import java.util.List;
import java.util.Map;

/**
 * Trace of one reconcile of a MachineDeployment, from its trigger to the last write. Times are monotonic nanoseconds. Contains
 * names, numbers and the hub's own texts, but no object content.
 *
 * @param traceId 32 hexadecimal digits, as in the run's log lines
 * @param spanId 16 hexadecimal digits
 * @param because why something changed; empty if nothing did
 * @param failed the run threw an Error
 * @param asked when the trigger arrived
 */
public record RunTrace(
        String traceId,
        String spanId,
        TraceSubject names,
        String trigger,
        Result result,
        String because,
        boolean failed,
        int queueDepth,
        long asked,
        long began,
        long ended,
        List<TraceStep> steps,
        List<TracedRequest> requests) {
    public RunTrace {
        steps = List.copyOf(steps);
        requests = List.copyOf(requests);
    }

    public record TraceSubject(String tenant, String workerCluster, String machineDeployment, String reconcileId) {}

    /**
     * One step of the run.
     *
     * @param name {@code look}, {@code decide} or {@code render}
     */
    public record TraceStep(
            String name, long began, long ended, Map<String, String> textAttributes, Map<String, Long> longAttributes) {
        public TraceStep {
            textAttributes = Map.copyOf(textAttributes);
            longAttributes = Map.copyOf(longAttributes);
        }
    }

    /**
     * A request to the worker cluster's or the management cluster's API server.
     *
     * @param resource plural, with the subresource if any
     * @param namespace empty for a cluster-scoped kind
     * @param status of the response; 0 if there was none
     * @param failure empty on success; else the status, or why there was no response
     */
    public record TracedRequest(
            String verb,
            String method,
            String resource,
            String namespace,
            int status,
            String failure,
            long began,
            long ended) {}
}
