package io.osmhub.api.rest;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.Visible;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.journal.Journal;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.workersync.apiserver.Resource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What happened last to a tenant, as far as this replica remembers. For pages: programs follow the stream of events. It is no part of
 * the contract, so that no request reaches it.
 */
public final class LatestEvents {
    /** As pages ask for it. */
    public static final String ID = "latestEvents";

    private static final int MOST = 100;

    private final Journal journal;
    private final Access access;

    public LatestEvents(Journal journal, Access access) {
        this.journal = journal;
        this.access = access;
    }

    public Operation operation() {
        return Operation.of(ID, this::latest);
    }

    /** The messages of the stream, without their ids. */
    public record Answer(List<StreamEvent> items) {
        public Answer {
            items = List.copyOf(items);
        }
    }

    private Reply latest(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        int limit = Math.min(new Parameters(call).limit(), MOST);
        Map<Resource, Boolean> sees = new EnumMap<>(Resource.class);
        for (Resource behind : List.of(
                Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS, Resource.OPERATING_SYSTEM_PROFILES)) {
            Visible visible = access.visible(call.caller(), behind);
            sees.put(behind, visible.all() || visible.sees(tenant));
        }
        // A configuration's changes are told of its MachineDeployment as well.
        List<StreamEvent> items = journal
                .latest(
                        told -> told.tenant().equals(tenant)
                                && told.kind() != StreamKind.OPERATING_SYSTEM_CONFIG
                                && sees.getOrDefault(told.behind(), false),
                        limit)
                .stream()
                .map(happened -> happened.told().event("", happened.at()))
                .toList();
        return Reply.ok(new Answer(items));
    }
}
