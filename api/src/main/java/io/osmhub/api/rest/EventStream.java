package io.osmhub.api.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Reply.ReplySink;
import io.osmhub.api.journal.ChangeEvent;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.api.journal.JournalPosition;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of changes to one client. The next change is read only after the client has received the last one, so a slow client costs
 * only a position; once that is evicted, the client is sent a reset.
 */
final class EventStream {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

    /** Filter of a stream; {@code after} is null to start from now. */
    record StreamFilter(
            @Nullable JournalPosition after, @Nullable String namespace, Set<StreamKind> kinds) {}

    /**
     * Timings of a stream.
     *
     * @param bookmark longest period without a message
     * @param accessCheck cache lifetime of the caller's permissions
     * @param ahead how long this process may not have received a position; API servers send bookmarks about every minute
     * @param life after which the client must reconnect and authenticate again
     */
    record StreamTimings(Duration bookmark, Duration accessCheck, Duration ahead, Duration life) {
        static final StreamTimings USUAL = new StreamTimings(
                Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMinutes(3), Duration.ofMinutes(30));
    }

    private final ChangeJournal journal;
    private final StreamFilter wanted;
    private final CallerAuthorizer access;
    private final Caller caller;
    private final InstantSource clock;
    private final StreamTimings pace;
    private final Map<Resource, VisibleTenants> sight = new EnumMap<>(Resource.class);
    private Instant sightEnds = Instant.EPOCH;
    private Instant lastSent = Instant.EPOCH;
    private @Nullable Instant aheadSince;

    EventStream(
            ChangeJournal journal,
            StreamFilter wanted,
            CallerAuthorizer access,
            Caller caller,
            InstantSource clock,
            StreamTimings pace) {
        this.journal = journal;
        this.wanted = wanted;
        this.access = access;
        this.caller = caller;
        this.clock = clock;
        this.pace = pace;
    }

    void run(ReplySink sink) throws InterruptedException {
        Instant ends = clock.instant().plus(pace.life());
        if (caller.sessionEnds() != null && caller.sessionEnds().isBefore(ends)) {
            ends = caller.sessionEnds();
        }
        sink.send("retry: 2000\n\n");
        JournalPosition at = begin(sink);
        while (at != null && !sink.isClosed() && clock.instant().isBefore(ends)) {
            at = sendNext(sink, at);
        }
    }

    // --- start

    /** The position to continue from; null if the client has disconnected. */
    private @Nullable JournalPosition begin(ReplySink sink) throws InterruptedException {
        while (!sink.isClosed()) {
            JournalPosition from = wanted.after() == null ? journal.endPosition() : wanted.after();
            switch (journal.checkPosition(from)) {
                // Another replica's position ahead of this one: events up to it were already sent there.
                case KNOWN, AHEAD -> {
                    bookmark(sink, from);
                    return from;
                }
                case OLDER -> {
                    if (!backfill(from)) {
                        return reset(sink);
                    }
                }
                case NOT_READY -> pause(sink);
            }
        }
        return null;
    }

    private static void pause(ReplySink sink) throws InterruptedException {
        Thread.sleep(Duration.ofMillis(200));
        sink.send(":\n\n");
    }

    /** False if the API server no longer has the changes after that position. */
    private boolean backfill(JournalPosition from) throws InterruptedException {
        try {
            journal.backfill(from);
            return true;
        } catch (ApiFailure e) {
            if (e.isGone()) {
                return false;
            }
            LOG.atDebug().addKeyValue("cause", e.text()).log("The past was not read, trying again");
            Thread.sleep(Duration.ofSeconds(1));
            return true;
        }
    }

    private JournalPosition reset(ReplySink sink) throws InterruptedException {
        JournalPosition now = journal.endPosition();
        send(
                sink,
                createEvent(StreamEvent.Type.RESET, now, "what happened meanwhile is not known any more: list again"));
        return now;
    }

    private void bookmark(ReplySink sink, JournalPosition at) throws InterruptedException {
        send(sink, createEvent(StreamEvent.Type.BOOKMARK, at, null));
    }

    private StreamEvent createEvent(StreamEvent.Type type, JournalPosition at, @Nullable String summary) {
        return new StreamEvent(at.text(), type, clock.instant(), null, null, null, null, null, null, summary);
    }

    // --- events

    private JournalPosition sendNext(ReplySink sink, JournalPosition begun) throws InterruptedException {
        JournalPosition from = begun;
        if (isLost(from)) {
            return reset(sink);
        }
        Duration silence = Duration.between(lastSent, clock.instant());
        Duration timeout = pace.bookmark().minus(silence);
        ChangeJournal.JournalBatch next = journal.awaitNext(from, timeout.isNegative() ? Duration.ZERO : timeout);
        for (ChangeJournal.JournalEvent step : next.events()) {
            Boolean seen = isWanted(step.event()) ? sees(step.event()) : Boolean.FALSE;
            if (seen == null) {
                // Current permissions are unknown: request them again from here.
                pause(sink);
                return from;
            }
            if (seen && !send(sink, step.event().toStreamEvent(step.after().text(), step.at()))) {
                return from;
            }
            from = step.after();
        }
        if (!Duration.between(lastSent, clock.instant()).minus(pace.bookmark()).isNegative()) {
            bookmark(sink, next.after());
        }
        return next.after();
    }

    /**
     * Whether a position can no longer be reached: changes after it were evicted, or the API server's versions went back, as after a
     * restore from backup. The latter is assumed if the position is not reached although every watch must have received a bookmark.
     */
    private boolean isLost(JournalPosition at) {
        ChangeJournal.PositionState standing = journal.checkPosition(at);
        if (standing != ChangeJournal.PositionState.AHEAD) {
            aheadSince = null;
            return standing == ChangeJournal.PositionState.OLDER;
        }
        Instant now = clock.instant();
        if (aheadSince == null) {
            aheadSince = now;
        }
        return Duration.between(aheadSince, now).compareTo(pace.ahead()) > 0;
    }

    private boolean isWanted(ChangeEvent event) {
        return (wanted.namespace() == null || wanted.namespace().equals(event.tenant()))
                && (wanted.kinds().isEmpty() || wanted.kinds().contains(event.kind()));
    }

    /** Null if the management cluster does not respond. */
    private @Nullable Boolean sees(ChangeEvent event) {
        Instant now = clock.instant();
        if (now.isAfter(sightEnds)) {
            sight.clear();
            sightEnds = now.plus(pace.accessCheck());
        }
        try {
            VisibleTenants visible = sight.get(event.sourceResource());
            if (visible == null) {
                visible = access.findVisibleTenants(caller, event.sourceResource());
                sight.put(event.sourceResource(), visible);
            }
            // The first and last event of a tenant concern one that is not listed.
            return visible.covers(event.tenant())
                    ? visible.includes(event.tenant())
                    : access.isAllowed(caller, Verb.LIST, event.sourceResource(), event.tenant(), "");
        } catch (ApiProblem e) {
            LOG.atDebug().addKeyValue("cause", e.detail()).log("What a caller may see was not told, trying again");
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
