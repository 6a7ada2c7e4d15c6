package io.osmhub.workersync.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.EventRecorder.Action;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one tenant's Events ({@code events.k8s.io/v1}) to one cluster, asynchronously. A repeat within ten minutes raises the
 * count of the existing Event. Writes at most ten requests a minute and drops the rest until they recur. An Event that cannot be
 * written is dropped; a dropped repeat is counted with the next one.
 */
public final class EventWriter implements EventRecorder {
    static final Duration ONE_SERIES = Duration.ofMinutes(10);
    static final int REQUESTS = 10;
    static final Duration REQUESTS_WITHIN = Duration.ofMinutes(1);

    /** Queue limit; keeps the oldest, which show how a flood began. */
    private static final int MOST_WAITING = 50;

    /** The budget allows a hundred new ones in ten minutes, but those that recur are kept longer. */
    private static final int MOST_SERIES = 200;

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    private final KubeApi api;
    private final Scheduler timers;
    private final Executor waiting;
    private final RandomGenerator random;
    private final String instance;

    private final Map<EventKey, EventSeries> series = new LinkedHashMap<>();
    private final Deque<EventKey> toWrite = new ArrayDeque<>();
    private final Deque<Instant> requests = new ArrayDeque<>();
    private boolean busy;

    /** Identity of a series. */
    private record EventKey(Regarding regarding, @Nullable Regarding related, ReasonMessage event, Action action) {}

    /** Occurrences of one Event. */
    private static final class EventSeries {
        private Instant last;
        private int count;
        /** Empty until written. */
        private String name = "";

        private int written;

        EventSeries(Instant first) {
            last = first;
        }
    }

    /**
     * A writer without budget used.
     *
     * @param waiting runs the task that waits for answers
     * @param instance name of the replica, as {@code reportingInstance}
     */
    public EventWriter(KubeApi api, Scheduler timers, Executor waiting, RandomGenerator random, String instance) {
        this.api = api;
        this.timers = timers;
        this.waiting = waiting;
        this.random = random;
        this.instance = instance;
    }

    @Override
    public void recordEvent(Regarding regarding, @Nullable Regarding related, ReasonMessage event, Action action) {
        EventKey story = new EventKey(regarding, related, event, action);
        Instant now = timers.now();
        synchronized (this) {
            series.values().removeIf(known -> known.last.plus(ONE_SERIES).isBefore(now));
            if (toWrite.size() >= MOST_WAITING || series.size() >= MOST_SERIES && !series.containsKey(story)) {
                return;
            }
            EventSeries known = series.computeIfAbsent(story, first -> new EventSeries(now));
            known.last = now;
            known.count++;
            // A repeat of an Event that is still queued is counted in it.
            if (!toWrite.contains(story)) {
                toWrite.addLast(story);
            }
            if (busy) {
                return;
            }
            busy = true;
        }
        waiting.execute(this::writeAll);
    }

    private void writeAll() {
        while (true) {
            EventKey story;
            EventSeries known;
            synchronized (this) {
                story = toWrite.pollFirst();
                if (story == null) {
                    busy = false;
                    return;
                }
                known = series.get(story);
                if (known == null) {
                    continue;
                }
                if (!takeRequest()) {
                    forget(story, known, false);
                    continue;
                }
            }
            write(story, known);
        }
    }

    private boolean takeRequest() {
        Instant now = timers.now();
        while (!requests.isEmpty() && !requests.getFirst().plus(REQUESTS_WITHIN).isAfter(now)) {
            requests.removeFirst();
        }
        if (requests.size() >= REQUESTS) {
            return false;
        }
        requests.addLast(now);
        return true;
    }

    private void write(EventKey story, EventSeries known) {
        int count;
        String name;
        Instant last;
        synchronized (this) {
            count = known.count;
            name = known.name;
            last = known.last;
        }
        String namespace = story.regarding().namespace().isEmpty()
                ? "default"
                : story.regarding().namespace();
        try {
            if (name.isEmpty()) {
                name = name(story);
                api.send(ApiRequest.create(Resource.EVENTS, namespace, event(story, namespace, name, last, count)));
            } else if (count > known.written) {
                api.send(ApiRequest.patch(
                        Resource.EVENTS, namespace, name, ApiRequest.MERGE_PATCH, EventJson.repeat(count, last)));
            }
            synchronized (this) {
                known.name = name;
                known.written = count;
            }
        } catch (ApiFailure failure) {
            LOG.atDebug()
                    .addKeyValue("reason", story.event().reason().eventReason())
                    .addKeyValue("cause", failure.text())
                    .log("Event not written");
            // A deleted Event, or one that may not be changed, cannot count the next occurrence.
            forget(story, known, !failure.isTransient());
        } catch (RuntimeException e) {
            LOG.error("Cannot write Event {}", story.event().reason().eventReason(), e);
            forget(story, known, true);
        }
    }

    /**
     * The next occurrence creates a new Event.
     *
     * @param written whether to forget also an Event that was written
     */
    private synchronized void forget(EventKey story, EventSeries known, boolean written) {
        if (written || known.name.isEmpty()) {
            series.remove(story);
        }
    }

    private String event(EventKey story, String namespace, String name, Instant at, int count) {
        return EventJson.event(
                new EventJson.EventHeader(namespace, name, at, instance),
                story.regarding(),
                story.related(),
                story.event(),
                story.action(),
                count);
    }

    /** Truncated object name and a unique suffix. */
    private String name(EventKey story) {
        String of = story.regarding().name();
        int most = 200;
        return (of.length() > most ? of.substring(0, most) : of) + "." + Long.toHexString(random.nextLong());
    }

    /** Event as JSON. Source: Kubernetes API reference, events.k8s.io/v1. */
    static final class EventJson {
        private static final String CONTROLLER = "osmhub.io/hub";
        /** Maximum length of {@code note} that the API server accepts. */
        private static final int NOTE_BYTES = 1024;

        private static final int WORD = 128;
        private static final DateTimeFormatter MICRO_TIME =
                DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

        private EventJson() {}

        record EventHeader(String namespace, String name, Instant at, String instance) {}

        static String event(
                EventHeader head,
                Regarding regarding,
                @Nullable Regarding related,
                ReasonMessage event,
                Action action,
                int count) {
            JsonWriter json = new JsonWriter();
            json.beginObject()
                    .field("action", action.wireName())
                    .field("apiVersion", "events.k8s.io/v1")
                    .field("eventTime", MICRO_TIME.format(head.at()))
                    .field("kind", "Event");
            json.key("metadata")
                    .beginObject()
                    .field("name", head.name())
                    .field("namespace", head.namespace())
                    .endObject();
            json.field("note", cut(event.message()))
                    .field("reason", event.reason().eventReason());
            object(json, "regarding", regarding);
            if (related != null) {
                object(json, "related", related);
            }
            json.field("reportingController", CONTROLLER)
                    .field(
                            "reportingInstance",
                            head.instance()
                                    .substring(0, Math.min(WORD, head.instance().length())));
            if (count > 1) {
                series(json, count, head.at());
            }
            return json.field("type", event.reason().severity() == Severity.INFO ? "Normal" : "Warning")
                    .endObject()
                    .toString();
        }

        /** Merge patch for a repeated Event. */
        static String repeat(int count, Instant last) {
            JsonWriter json = new JsonWriter().beginObject();
            series(json, count, last);
            return json.endObject().toString();
        }

        private static void series(JsonWriter json, int count, Instant last) {
            json.key("series").beginObject();
            json.key("count").value((long) count);
            json.field("lastObservedTime", MICRO_TIME.format(last)).endObject();
        }

        private static void object(JsonWriter json, String key, Regarding object) {
            json.key(key)
                    .beginObject()
                    .field("apiVersion", object.apiVersion())
                    .field("kind", object.kind())
                    .field("name", object.name());
            if (!object.namespace().isEmpty()) {
                json.field("namespace", object.namespace());
            }
            if (object.uid() != null) {
                json.field("uid", object.uid());
            }
            json.endObject();
        }

        private static String cut(String message) {
            String note = message;
            while (note.getBytes(UTF_8).length > NOTE_BYTES) {
                note = note.substring(0, note.offsetByCodePoints(note.length(), -1));
            }
            return note;
        }
    }
}
