package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** One log line per write: actor, action and result. Never contains request content. */
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

    private final boolean on;

    AuditLog(boolean on) {
        this.on = on;
    }

    /**
     * Logs the request if it is a write.
     *
     * @param action empty if it is not a write
     * @param object namespace and name; may be empty
     */
    void logRequest(
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
        LoggingEventBuilder line = addContext(requestId, trace, LOG.atInfo())
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

    /** Adds the fields of each request line. */
    static LoggingEventBuilder addContext(String requestId, RequestTrace trace, LoggingEventBuilder line) {
        LoggingEventBuilder keyed = line.addKeyValue("requestId", requestId);
        return trace.traceId().isEmpty()
                ? keyed
                : keyed.addKeyValue("traceId", trace.traceId()).addKeyValue("spanId", trace.spanId());
    }

    /** An object that the caller may not see responds like a missing one, so both are denied. */
    private static String outcome(int status) {
        if (status < 400) {
            return "allowed";
        }
        return status == 401 || status == 403 || status == 404 ? "denied" : "failed";
    }
}
