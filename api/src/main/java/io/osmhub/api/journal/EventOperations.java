package io.osmhub.api.journal;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.paging.ListColumns;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.LatestEvents;
import io.osmhub.api.schema.StreamEvent.StreamKind;
import io.osmhub.workersync.apiserver.Resource;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The operations that stream changes and list the latest. */
public final class EventOperations {
    private static final int MOST = 100;

    private final ChangeJournal journal;
    private final CallerAuthorizer authorizer;
    private final InstantSource clock;
    private final EventStream.StreamTimings pace;

    public EventOperations(ChangeJournal journal, CallerAuthorizer authorizer, InstantSource clock) {
        this(journal, authorizer, clock, EventStream.StreamTimings.USUAL);
    }

    EventOperations(
            ChangeJournal journal, CallerAuthorizer authorizer, InstantSource clock, EventStream.StreamTimings pace) {
        this.journal = journal;
        this.authorizer = authorizer;
        this.clock = clock;
        this.pace = pace;
    }

    public List<Operation> operations() {
        return List.of(Operation.of("streamEvents", this::follow), Operation.of("listEvents", this::latest));
    }

    private Reply follow(Call call) throws ApiProblem {
        Set<StreamKind> kinds = EnumSet.noneOf(StreamKind.class);
        for (String kind : call.queryList("kind")) {
            kinds.add(ListColumns.constant("kind", StreamKind.class, kind));
        }
        String namespace =
                call.query("namespace").filter(text -> !text.isEmpty()).orElse(null);
        EventStream.StreamFilter filter = new EventStream.StreamFilter(after(call), namespace, kinds);
        EventStream stream = new EventStream(journal, filter, authorizer, call.caller(), clock, pace);
        return Reply.stream(stream::run);
    }

    private OptionalLong after(Call call) throws ApiProblem {
        Optional<String> header = call.header("Last-Event-ID").filter(id -> !id.isEmpty());
        Optional<String> id = header.isPresent() ? header : call.query("after").filter(text -> !text.isEmpty());
        if (id.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong position = journal.positionOf(id.get());
        if (position.isEmpty()) {
            String detail = "not the id of an event";
            String cure = "send the id of the last event that was handled, or none";
            throw ApiProblem.badRequest(
                    header.isPresent()
                            ? RequestError.header("Last-Event-ID", detail, cure)
                            : RequestError.query("after", detail, cure));
        }
        return position;
    }

    private Reply latest(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        int limit = Math.min(
                ListQuery.ALL.with("limit", call.query("limit").orElse("")).limit(), MOST);
        Map<Resource, Boolean> sees = new EnumMap<>(Resource.class);
        for (Resource source : List.of(
                Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS, Resource.OPERATING_SYSTEM_PROFILES)) {
            VisibleTenants visible = authorizer.findVisibleTenants(call.caller(), source);
            sees.put(source, visible.includesAll() || visible.includes(tenant));
        }
        // Changes of a configuration are also reported for its MachineDeployment.
        return Reply.ok(new LatestEvents(journal.findLatest(
                event -> tenant.equals(event.tenant())
                        && event.kind() != StreamKind.OPERATING_SYSTEM_CONFIG
                        && sees.getOrDefault(ChangeJournal.sourceResource(event), false),
                limit)));
    }
}
