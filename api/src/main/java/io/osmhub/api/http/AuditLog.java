package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** One line for each write: who, what, with which result. No content of a request stands in it. */
final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("audit");

    /** Action by operation. */
    static final Map<String, String> ACTIONS = Map.of(
            "putWorkerCluster", "worker-cluster.put",
            "patchWorkerCluster", "worker-cluster.update",
            "deleteWorkerCluster", "worker-cluster.delete",
            "testWorkerCluster", "worker-cluster.test",
            "rotateWorkerCluster", "worker-cluster.rotate",
            "scopeWorkerCluster", "worker-cluster.scope",
            "signIn", "session.begin",
            "signOut", "session.end");
    /** Operations that are asked with a body and change nothing. */
    static final Set<String> ONLY_ASKED = Set.of("render", "diff", "lint");

    private final boolean on;

    AuditLog(boolean on) {
        this.on = on;
    }

    /**
     * Writes a line if the request was a write.
     *
     * @param action empty when it was none
     * @param object namespace and name; empty when it is about none
     */
    void request(
            String action,
            String object,
            @Nullable Caller caller,
            int status,
            String requestId,
            RequestTrace trace,
            boolean dryRun) {
        if (!on || action.isEmpty()) {
            return;
        }
        String exact = action.equals("worker-cluster.put")
                ? "worker-cluster." + (status == 201 ? "create" : "replace")
                : action;
        LoggingEventBuilder line = about(requestId, trace, LOG.atInfo())
                .addKeyValue("user", caller == null ? "" : caller.user())
                .addKeyValue("action", exact)
                .addKeyValue("object", object)
                .addKeyValue("outcome", outcome(status))
                .addKeyValue("status", status);
        if (dryRun) {
            line = line.addKeyValue("dryRun", true);
        }
        line.log("Write");
    }

    /** What each line about a request has. */
    static LoggingEventBuilder about(String requestId, RequestTrace trace, LoggingEventBuilder line) {
        LoggingEventBuilder keyed = line.addKeyValue("requestId", requestId);
        return trace.traceId().isEmpty()
                ? keyed
                : keyed.addKeyValue("traceId", trace.traceId()).addKeyValue("spanId", trace.spanId());
    }

    /** An object that the caller may not see answers like one that is not there, so both are denied. */
    private static String outcome(int status) {
        if (status < 400) {
            return "allowed";
        }
        return status == 401 || status == 403 || status == 404 ? "denied" : "failed";
    }
}
