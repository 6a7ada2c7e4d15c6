package io.osmhub.api.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.access.Access;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.Visible;
import io.osmhub.api.http.Reply.Sink;
import io.osmhub.api.journal.Journal;
import io.osmhub.api.journal.Position;
import io.osmhub.api.journal.Told;
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
 * One stream of changes to one client. It is pulled: the next change is looked up when the client has taken the last one, so a slow
 * client costs nothing but its place, and when that is not kept any more it is told to list again.
 */
final class EventStream {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

    /** What a client asks to hear of; {@code after} is null for what comes from now on. */
    record Wanted(@Nullable Position after, @Nullable String namespace, Set<StreamKind> kinds) {}

    /**
     * Times of a stream.
     *
     * @param bookmark longest silence
     * @param sight how long what a caller may see is taken for true
     * @param ahead how long this process may not have heard of a place; API servers send bookmarks about every minute
     * @param life after which the client has to come again, and to be known again
     */
    record Pace(Duration bookmark, Duration sight, Duration ahead, Duration life) {
        static final Pace USUAL =
                new Pace(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMinutes(3), Duration.ofMinutes(30));
    }

    private final Journal journal;
    private final Wanted wanted;
    private final Access access;
    private final Caller caller;
    private final InstantSource clock;
    private final Pace pace;
    private final Map<Resource, Visible> sight = new EnumMap<>(Resource.class);
    private Instant sightEnds = Instant.EPOCH;
    private Instant lastSent = Instant.EPOCH;
    private @Nullable Instant aheadSince;

    EventStream(Journal journal, Wanted wanted, Access access, Caller caller, InstantSource clock, Pace pace) {
        this.journal = journal;
        this.wanted = wanted;
        this.access = access;
        this.caller = caller;
        this.clock = clock;
        this.pace = pace;
    }

    void run(Sink sink) throws InterruptedException {
        Instant ends = clock.instant().plus(pace.life());
        if (caller.sessionEnds() != null && caller.sessionEnds().isBefore(ends)) {
            ends = caller.sessionEnds();
        }
        sink.send("retry: 2000\n\n");
        Position at = begin(sink);
        while (at != null && !sink.gone() && clock.instant().isBefore(ends)) {
            at = step(sink, at);
        }
    }

    // Beginning

    /** The place to go on from; null when the client is gone. */
    private @Nullable Position begin(Sink sink) throws InterruptedException {
        while (!sink.gone()) {
            Position from = wanted.after() == null ? journal.end() : wanted.after();
            switch (journal.standing(from)) {
                // A place that is ahead is another replica's; what comes up to it was told there.
                case KNOWN, AHEAD -> {
                    bookmark(sink, from);
                    return from;
                }
                case OLDER -> {
                    if (!filled(from)) {
                        return reset(sink);
                    }
                }
                case NOT_READY -> rest(sink);
            }
        }
        return null;
    }

    private static void rest(Sink sink) throws InterruptedException {
        Thread.sleep(Duration.ofMillis(200));
        sink.send(":\n\n");
    }

    /** False when the API server has forgotten what came after that place. */
    private boolean filled(Position from) throws InterruptedException {
        try {
            journal.fill(from);
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

    private Position reset(Sink sink) throws InterruptedException {
        Position now = journal.end();
        send(sink, bare(StreamEvent.Type.RESET, now, "what happened meanwhile is not known any more: list again"));
        return now;
    }

    private void bookmark(Sink sink, Position at) throws InterruptedException {
        send(sink, bare(StreamEvent.Type.BOOKMARK, at, null));
    }

    private StreamEvent bare(StreamEvent.Type type, Position at, @Nullable String summary) {
        return new StreamEvent(at.text(), type, clock.instant(), null, null, null, null, null, null, summary);
    }

    // Going on

    private Position step(Sink sink, Position begun) throws InterruptedException {
        Position from = begun;
        if (isLost(from)) {
            return reset(sink);
        }
        Duration silence = Duration.between(lastSent, clock.instant());
        Duration patience = pace.bookmark().minus(silence);
        Journal.Steps next = journal.next(from, patience.isNegative() ? Duration.ZERO : patience);
        for (Journal.Step step : next.steps()) {
            Boolean seen = isWanted(step.told()) ? sees(step.told()) : Boolean.FALSE;
            if (seen == null) {
                // Nobody can say now what the caller may see: it is asked again from here.
                rest(sink);
                return from;
            }
            if (seen && !send(sink, step.told().event(step.after().text(), step.at()))) {
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
     * Whether a place leads nowhere: this process has gone past what it keeps, or the API server counts from an earlier number again,
     * as after its data was restored. That shows when the place is not reached although every watch must have had a bookmark.
     */
    private boolean isLost(Position at) {
        Journal.Standing standing = journal.standing(at);
        if (standing != Journal.Standing.AHEAD) {
            aheadSince = null;
            return standing == Journal.Standing.OLDER;
        }
        Instant now = clock.instant();
        if (aheadSince == null) {
            aheadSince = now;
        }
        return Duration.between(aheadSince, now).compareTo(pace.ahead()) > 0;
    }

    private boolean isWanted(Told told) {
        return (wanted.namespace() == null || wanted.namespace().equals(told.tenant()))
                && (wanted.kinds().isEmpty() || wanted.kinds().contains(told.kind()));
    }

    /** Null when the management cluster does not answer. */
    private @Nullable Boolean sees(Told told) {
        Instant now = clock.instant();
        if (now.isAfter(sightEnds)) {
            sight.clear();
            sightEnds = now.plus(pace.sight());
        }
        try {
            Visible visible = sight.get(told.behind());
            if (visible == null) {
                visible = access.visible(caller, told.behind());
                sight.put(told.behind(), visible);
            }
            // The first a tenant is heard of and the last tell of one that nobody lists.
            return visible.knows(told.tenant())
                    ? visible.sees(told.tenant())
                    : access.may(caller, Verb.LIST, told.behind(), told.tenant(), "");
        } catch (ApiProblem e) {
            LOG.atDebug().addKeyValue("cause", e.detail()).log("What a caller may see was not told, trying again");
            return null;
        }
    }

    private boolean send(Sink sink, StreamEvent event) throws InterruptedException {
        lastSent = clock.instant();
        try {
            return sink.send("id: " + event.id() + "\nevent: " + ApiJson.word(event.type()) + "\ndata: "
                    + ApiJson.server().writeValueAsString(event) + "\n\n");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
