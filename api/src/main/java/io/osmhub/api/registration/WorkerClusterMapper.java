package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Connection;
import io.osmhub.api.schema.Metadata;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterEntry.RegisteredBy;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maps a stored WorkerCluster to its API record. Pure. */
public final class WorkerClusterMapper {
    private static final WorkerClusterSpec NO_SPEC = empty(WorkerClusterSpec.class);
    private static final WorkerClusterStatus NO_STATUS = empty(WorkerClusterStatus.class);

    private WorkerClusterMapper() {}

    public static WorkerClusterEntry of(JsonNode object) {
        return of(WorkerClusterRecord.of(object), null, null, null);
    }

    /**
     * Adds live values.
     *
     * @param unansweredBy name of the replica that serves it, if it did not answer; otherwise null
     */
    public static WorkerClusterEntry of(
            WorkerClusterRecord record,
            @Nullable Connection connection,
            @Nullable Instant firstTokenEnd,
            @Nullable String unansweredBy) {
        ObjectMetadata head = record.head();
        return new WorkerClusterEntry(
                new Metadata(
                        head.namespace(),
                        head.name(),
                        head.uid(),
                        head.generation(),
                        NullableCollections.nullIfEmpty(head.labels()),
                        head.creationTimestamp()),
                stateOf(record),
                ApiJson.constant(RegisteredBy.class, record.annotation(WorkerClusterRecord.REGISTERED_BY))
                        .orElse(RegisteredBy.OBJECT),
                Objects.requireNonNullElse(record.spec(), NO_SPEC),
                Objects.requireNonNullElse(record.status(), NO_STATUS),
                connection,
                firstTokenEnd,
                unansweredBy);
    }

    /** The state in its status; a tenant without status is still connecting. */
    public static State stateOf(WorkerClusterRecord record) {
        WorkerClusterStatus status = record.status();
        if (record.head().isBeingDeleted()) {
            return State.CLOSED;
        }
        if (record.spec() != null && record.spec().paused()) {
            return State.PAUSED;
        }
        return status == null || status.state() == null ? State.CONNECTING : status.state();
    }

    /** An object without fields: each is absent or has its default. */
    private static <T> T empty(Class<T> type) {
        return Objects.requireNonNull(WireJson.as(type, WireJson.object()), "every field has a default");
    }
}
