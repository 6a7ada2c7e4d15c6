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
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.schema.StreamKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operation that follows what changes. */
public final class EventStreams {
    private static final int MOST_OF_ONE_CALLER = 20;

    private final Journal journal;
    private final Access access;
    private final InstantSource clock;
    private final EventStream.Pace pace;
    private final Map<String, Integer> open = new HashMap<>();

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
        enter(caller.user());
        EventStream stream = new EventStream(
                journal,
                new EventStream.Wanted(after, parameters.text("namespace"), kinds),
                access,
                caller,
                clock,
                pace);
        return Reply.stream(sink -> {
            // However it ends, also before it has begun.
            sink.whenGone(new Once(() -> leave(caller.user()))::run);
            stream.run(sink);
        });
    }

    private static @Nullable Position after(Call call) throws ApiProblem {
        Optional<String> header = call.header("Last-Event-ID").filter(id -> !id.isEmpty());
        Optional<String> id = header.isPresent() ? header : call.query("after").filter(text -> !text.isEmpty());
        if (id.isEmpty()) {
            return null;
        }
        Optional<Position> position = Position.of(id.get());
        if (position.isEmpty()) {
            String detail = "this is no event's id";
            String cure = "send the id of the last event that was handled, or none";
            throw ApiProblem.badRequest(
                    header.isPresent()
                            ? Mistake.header("Last-Event-ID", detail, cure)
                            : Mistake.query("after", detail, cure));
        }
        return position.get();
    }

    private synchronized void enter(String user) throws ApiProblem {
        if (open.getOrDefault(user, 0) >= MOST_OF_ONE_CALLER) {
            throw ApiProblem.of(
                            ProblemType.RATE_LIMITED,
                            "this caller follows " + MOST_OF_ONE_CALLER + " streams already; end one of them",
                            List.of())
                    .retryAfter(Duration.ofSeconds(10));
        }
        open.merge(user, 1, Integer::sum);
    }

    private synchronized void leave(String user) {
        open.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    }

    /** Streams that are followed now. */
    public synchronized int count() {
        return open.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Runs a task the first time only. */
    private static final class Once {
        private @Nullable Runnable task;

        Once(Runnable task) {
            this.task = task;
        }

        synchronized void run() {
            Runnable now = task;
            task = null;
            if (now != null) {
                now.run();
            }
        }
    }
}
