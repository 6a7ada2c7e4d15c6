package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Metadata;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterEntry.RegisteredBy;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.wire.ObjectMetadata;
import io.osmhub.tenancy.wire.WireJson;
import java.util.Objects;

/** Maps a stored WorkerCluster to its API record. Pure. */
public final class WorkerClusterMapper {
    private WorkerClusterMapper() {}

    public static WorkerClusterEntry of(JsonNode object) {
        WorkerClusterRecord record = WorkerClusterRecord.of(object);
        ObjectMetadata head = record.head();
        WorkerClusterSpec spec = Objects.requireNonNullElseGet(record.spec(), WorkerClusterMapper::noSpec);
        WorkerClusterStatus status = Objects.requireNonNullElseGet(record.status(), WorkerClusterMapper::noStatus);
        return new WorkerClusterEntry(
                new Metadata(
                        head.namespace(),
                        head.name(),
                        head.uid(),
                        head.generation(),
                        head.labels().isEmpty() ? null : head.labels(),
                        head.creationTimestamp()),
                state(head, spec, status),
                registeredBy(record.annotation(WorkerClusterRecord.REGISTERED_BY)),
                spec,
                status,
                null,
                null,
                null);
    }

    private static State state(ObjectMetadata head, WorkerClusterSpec spec, WorkerClusterStatus status) {
        if (head.isBeingDeleted()) {
            return State.CLOSED;
        }
        if (Boolean.TRUE.equals(spec.paused())) {
            return State.PAUSED;
        }
        return status.state() == null ? State.CONNECTING : status.state();
    }

    private static RegisteredBy registeredBy(String word) {
        return ApiJson.constant(RegisteredBy.class, word).orElse(RegisteredBy.OBJECT);
    }

    private static WorkerClusterSpec noSpec() {
        return Objects.requireNonNull(WireJson.as(WorkerClusterSpec.class, WireJson.object()), "an empty spec");
    }

    private static WorkerClusterStatus noStatus() {
        return Objects.requireNonNull(WireJson.as(WorkerClusterStatus.class, WireJson.object()), "an empty status");
    }
}
