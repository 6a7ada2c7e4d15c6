package io.osmhub.api.rest;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.api.journal.JournalPosition;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.StreamKind;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operation that streams changes. */
public final class EventStreamOperations {
    private final ChangeJournal journal;
    private final CallerAuthorizer access;
    private final InstantSource clock;
    private final EventStream.StreamTimings pace;

    public EventStreamOperations(ChangeJournal journal, CallerAuthorizer access, InstantSource clock) {
        this(journal, access, clock, EventStream.StreamTimings.USUAL);
    }

    EventStreamOperations(
            ChangeJournal journal, CallerAuthorizer access, InstantSource clock, EventStream.StreamTimings pace) {
        this.journal = journal;
        this.access = access;
        this.clock = clock;
        this.pace = pace;
    }

    public List<Operation> operations() {
        return List.of(Operation.of("streamEvents", this::follow));
    }

    private Reply follow(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        Set<StreamKind> kinds = parameters.constants("kind", StreamKind.class);
        JournalPosition after = after(call);
        Caller caller = call.caller();
        EventStream stream = new EventStream(
                journal,
                new EventStream.StreamFilter(after, parameters.text("namespace"), kinds),
                access,
                caller,
                clock,
                pace);
        return Reply.stream(stream::run);
    }

    private static @Nullable JournalPosition after(Call call) throws ApiProblem {
        Optional<String> header = call.header("Last-Event-ID").filter(id -> !id.isEmpty());
        Optional<String> id = header.isPresent() ? header : call.query("after").filter(text -> !text.isEmpty());
        if (id.isEmpty()) {
            return null;
        }
        Optional<JournalPosition> position = JournalPosition.of(id.get());
        if (position.isEmpty()) {
            String detail = "not the id of an event";
            String cure = "send the id of the last event that was handled, or none";
            throw ApiProblem.badRequest(
                    header.isPresent()
                            ? RequestError.header("Last-Event-ID", detail, cure)
                            : RequestError.query("after", detail, cure));
        }
        return position.get();
    }
}
