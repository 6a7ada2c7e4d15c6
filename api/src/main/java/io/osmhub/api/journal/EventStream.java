package io.osmhub.api.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Reply.ReplySink;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamEvent.StreamKind;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of changes to one client. The next change is read only after the client has received the last one, so a slow client costs
 * only a position. A client whose position is lost is sent a reset and lists again.
 */
final class EventStream {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

    /** Filter of a stream; {@code after} is empty to start from now. */
    record StreamFilter(OptionalLong after, @Nullable String namespace, Set<StreamKind> kinds) {}

    /**
     * Timings of a stream.
     *
     * @param bookmark longest period without a message
     * @param accessCheck cache lifetime of the caller's permissions
     * @param life after which the client must reconnect and authenticate again
     */
    record StreamTimings(Duration bookmark, Duration accessCheck, Duration life) {
        static final StreamTimings USUAL =
                new StreamTimings(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMinutes(30));
    }

    private final ChangeJournal journal;
    private final StreamFilter filter;
    private final CallerAuthorizer authorizer;
    private final Caller caller;
    private final InstantSource clock;
    private final StreamTimings timings;
    private final Map<Resource, VisibleTenants> sight = new EnumMap<>(Resource.class);
    private Instant sightEnds = Instant.EPOCH;
    private Instant lastSent = Instant.EPOCH;

    EventStream(
            ChangeJournal journal,
            StreamFilter filter,
            CallerAuthorizer authorizer,
            Caller caller,
            InstantSource clock,
            StreamTimings timings) {
        this.journal = journal;
        this.filter = filter;
        this.authorizer = authorizer;
        this.caller = caller;
        this.clock = clock;
        this.timings = timings;
    }

    void run(ReplySink sink) throws InterruptedException {
        Instant ends = clock.instant().plus(timings.life());
        if (caller.sessionEnds() != null && caller.sessionEnds().isBefore(ends)) {
            ends = caller.sessionEnds();
        }
        sink.send("retry: 2000\n\n");
        while (!sink.isClosed() && isNotReady()) {
            pause(sink);
        }
        long at = filter.after().orElseGet(journal::endPosition);
        if (!isLost(at)) {
            sendMarker(sink, StreamEvent.Type.BOOKMARK, at, null);
        }
        while (!sink.isClosed() && clock.instant().isBefore(ends)) {
            at = sendNext(sink, at);
        }
    }

    private boolean isNotReady() {
        return journal.checkPosition(0) == ChangeJournal.PositionState.NOT_READY;
    }

    private boolean isLost(long position) {
        return journal.checkPosition(position) == ChangeJournal.PositionState.LOST;
    }

    private static void pause(ReplySink sink) throws InterruptedException {
        Thread.sleep(Duration.ofMillis(200));
        sink.send(":\n\n");
    }

    private void sendMarker(ReplySink sink, StreamEvent.Type type, long at, @Nullable String summary)
            throws InterruptedException {
        send(
                sink,
                new StreamEvent(journal.idOf(at), type, clock.instant(), null, null, null, null, null, null, summary));
    }

    /** Returns the position up to which events were sent or are not wanted. */
    private long sendNext(ReplySink sink, long from) throws InterruptedException {
        if (isLost(from)) {
            long now = journal.endPosition();
            sendMarker(sink, StreamEvent.Type.RESET, now, "events were missed: list again");
            return now;
        }
        Duration timeout = timings.bookmark().minus(Duration.between(lastSent, clock.instant()));
        long at = from;
        for (ChangeJournal.JournalEvent next :
                journal.awaitNext(from, timeout.isNegative() ? Duration.ZERO : timeout)) {
            if (isWanted(next.event())) {
                Boolean seen = sees(next.event());
                if (seen == null) {
                    // Current permissions are unknown: request them again from here.
                    pause(sink);
                    return at;
                }
                if (seen && !send(sink, next.event())) {
                    return at;
                }
            }
            at = next.number();
        }
        if (!Duration.between(lastSent, clock.instant())
                .minus(timings.bookmark())
                .isNegative()) {
            sendMarker(sink, StreamEvent.Type.BOOKMARK, at, null);
        }
        return at;
    }

    private boolean isWanted(StreamEvent event) {
        return (filter.namespace() == null || filter.namespace().equals(event.tenant()))
                && (filter.kinds().isEmpty() || filter.kinds().contains(event.kind()));
    }

    /** Null if the management cluster does not respond. */
    private @Nullable Boolean sees(StreamEvent event) {
        Instant now = clock.instant();
        if (now.isAfter(sightEnds)) {
            sight.clear();
            sightEnds = now.plus(timings.accessCheck());
        }
        Resource source = ChangeJournal.sourceResource(event);
        String tenant = Objects.requireNonNullElse(event.tenant(), "");
        try {
            VisibleTenants visible = sight.get(source);
            if (visible == null) {
                visible = authorizer.findVisibleTenants(caller, source);
                sight.put(source, visible);
            }
            // The first and last event of a tenant concern one that is not listed.
            return visible.covers(tenant)
                    ? visible.includes(tenant)
                    : authorizer.isAllowed(caller, Verb.LIST, source, tenant, "");
        } catch (ApiProblem e) {
            LOG.atDebug().addKeyValue("cause", e.detail()).log("Permissions of the caller are unknown, retrying");
            return null;
        }
    }

    private boolean send(ReplySink sink, StreamEvent event) throws InterruptedException {
        lastSent = clock.instant();
        try {
            return sink.send("id: " + event.id() + "\nevent: " + ApiJson.word(event.type()) + "\ndata: "
                    + ApiJson.server().writeValueAsString(event) + "\n\n");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
