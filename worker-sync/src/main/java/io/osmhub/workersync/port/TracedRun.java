package io.osmhub.workersync.port;

import io.osmhub.workersync.port.SyncObserver.Result;
import java.util.List;
import java.util.Map;

/**
 * One run over a MachineDeployment, from what asked for it to the last write. Moments are of the monotonic clock, in
 * nanoseconds. Holds names, numbers and words of the hub, no content of any object.
 *
 * @param traceId 32 hexadecimal digits, as log lines of the run have it
 * @param spanId 16 hexadecimal digits, of the run within the trace
 * @param because why something was changed; empty when nothing was
 * @param failed the run left an Error behind
 * @param asked when what asked for it was heard
 */
public record TracedRun(
        String traceId,
        String spanId,
        Names names,
        String trigger,
        Result result,
        String because,
        boolean failed,
        int queueDepth,
        long asked,
        long began,
        long ended,
        List<Step> steps,
        List<Request> requests) {
    public TracedRun {
        steps = List.copyOf(steps);
        requests = List.copyOf(requests);
    }

    /** Whom the run was about. */
    public record Names(String tenant, String workerCluster, String machineDeployment, String reconcileId) {}

    /**
     * A part of the run.
     *
     * @param name {@code look}, {@code decide} or {@code render}
     * @param words attributes by name
     * @param numbers attributes by name
     */
    public record Step(String name, long began, long ended, Map<String, String> words, Map<String, Long> numbers) {
        public Step {
            words = Map.copyOf(words);
            numbers = Map.copyOf(numbers);
        }
    }

    /**
     * A request that the run sent to an API server, the worker cluster's or the management cluster's.
     *
     * @param verb as in permissions
     * @param resource plural, with its subresource if that was meant
     * @param namespace empty for a kind without
     * @param status of the answer; 0 when there was none
     * @param failure empty when it succeeded; else the status, or why there was no answer
     */
    public record Request(
            String verb,
            String method,
            String resource,
            String namespace,
            int status,
            String failure,
            long began,
            long ended) {}
}
