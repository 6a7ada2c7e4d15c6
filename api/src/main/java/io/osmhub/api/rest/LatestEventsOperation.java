package io.osmhub.api.rest;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.workersync.apiserver.Resource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Latest events of a tenant retained by this replica, for console pages; API clients use the event stream. Not part of the contract,
 * so it cannot be requested over HTTP.
 */
public final class LatestEventsOperation {
    /** Operation id for pages. */
    public static final String ID = "latestEvents";

    private static final int MOST = 100;

    private final ChangeJournal journal;
    private final CallerAuthorizer access;

    public LatestEventsOperation(ChangeJournal journal, CallerAuthorizer access) {
        this.journal = journal;
        this.access = access;
    }

    public Operation operation() {
        return Operation.of(ID, this::latest);
    }

    /** Messages of the stream, without ids. */
    public record LatestEventsReply(List<StreamEvent> items) {
        public LatestEventsReply {
            items = List.copyOf(items);
        }
    }

    private Reply latest(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        int limit = Math.min(new QueryParameters(call).limit(), MOST);
        Map<Resource, Boolean> sees = new EnumMap<>(Resource.class);
        for (Resource behind : List.of(
                Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS, Resource.OPERATING_SYSTEM_PROFILES)) {
            VisibleTenants visible = access.findVisibleTenants(call.caller(), behind);
            sees.put(behind, visible.includesAll() || visible.includes(tenant));
        }
        // Changes of a configuration are also reported for its MachineDeployment.
        List<StreamEvent> items = journal
                .findLatest(
                        event -> event.tenant().equals(tenant)
                                && event.kind() != StreamKind.OPERATING_SYSTEM_CONFIG
                                && sees.getOrDefault(event.sourceResource(), false),
                        limit)
                .stream()
                .map(happened -> happened.event().toStreamEvent("", happened.at()))
                .toList();
        return Reply.ok(new LatestEventsReply(items));
    }
}
