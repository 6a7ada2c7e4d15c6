package io.osmhub.api.rest;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.Caller;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.journal.Journal;
import io.osmhub.api.journal.Position;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.schema.StreamKind;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operation that follows what changes. */
public final class EventStreams {
    private final Journal journal;
    private final Access access;
    private final InstantSource clock;
    private final EventStream.Pace pace;

    public EventStreams(Journal journal, Access access, InstantSource clock) {
        this(journal, access, clock, EventStream.Pace.USUAL);
    }

    EventStreams(Journal journal, Access access, InstantSource clock, EventStream.Pace pace) {
        this.journal = journal;
        this.access = access;
        this.clock = clock;
        this.pace = pace;
    }

    public List<Operation> operations() {
        return List.of(Operation.of("streamEvents", this::follow));
    }

    private Reply follow(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        Set<StreamKind> kinds = parameters.constants("kind", StreamKind.class);
        Position after = after(call);
        Caller caller = call.caller();
        EventStream stream = new EventStream(
                journal,
                new EventStream.Wanted(after, parameters.text("namespace"), kinds),
                access,
                caller,
                clock,
                pace);
        return Reply.stream(stream::run);
    }

    private static @Nullable Position after(Call call) throws ApiProblem {
        Optional<String> header = call.header("Last-Event-ID").filter(id -> !id.isEmpty());
        Optional<String> id = header.isPresent() ? header : call.query("after").filter(text -> !text.isEmpty());
        if (id.isEmpty()) {
            return null;
        }
        Optional<Position> position = Position.of(id.get());
        if (position.isEmpty()) {
            String detail = "not the id of an event";
            String cure = "send the id of the last event that was handled, or none";
            throw ApiProblem.badRequest(
                    header.isPresent()
                            ? Mistake.header("Last-Event-ID", detail, cure)
                            : Mistake.query("after", detail, cure));
        }
        return position.get();
    }
}
