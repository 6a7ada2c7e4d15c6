package io.osmhub.workersync.events;

import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
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
 * Writes one tenant's Events ({@code events.k8s.io/v1}) to one cluster. Whoever tells something does not wait: a task of its own
 * writes. What is told again within ten minutes raises the count of the Event that is there. At most ten requests a minute; what
 * is beyond that is dropped, and told the next time it happens. An Event that cannot be written is lost, and nothing else is.
 */
public final class EventWriter implements EventSink {
    static final Duration ONE_SERIES = Duration.ofMinutes(10);
    static final int REQUESTS = 10;
    static final Duration REQUESTS_WITHIN = Duration.ofMinutes(1);

    /** A flood is cut here; the oldest ones say what began it. */
    private static final int MOST_WAITING = 50;

    private static final int MOST_SERIES = 200;
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    private final KubeApi api;
    private final Timers timers;
    private final Executor waiting;
    private final RandomGenerator random;
    private final String instance;

    private final Map<Story, Series> series = new LinkedHashMap<>();
    private final Deque<Story> toWrite = new ArrayDeque<>();
    private final Deque<Instant> requests = new ArrayDeque<>();
    private boolean busy;

    /** What is one Event. */
    private record Story(
            Regarding regarding, @Nullable Regarding related, Reason reason, Action action, String message) {}

    /** One that was told, perhaps more than once. */
    private static final class Series {
        private Instant last;
        private int count;
        /** Empty until it is written. */
        private String name = "";

        private int written;

        Series(Instant first) {
            last = first;
        }
    }

    /**
     * A writer without budget used.
     *
     * @param waiting runs the task that waits for answers
     * @param instance name of the replica, as {@code reportingInstance}
     */
    public EventWriter(KubeApi api, Timers timers, Executor waiting, RandomGenerator random, String instance) {
        this.api = api;
        this.timers = timers;
        this.waiting = waiting;
        this.random = random;
        this.instance = instance;
    }

    @Override
    public void tell(Regarding regarding, @Nullable Regarding related, Reason reason, Action action, String message) {
        Story story = new Story(regarding, related, reason, action, message);
        Instant now = timers.now();
        synchronized (this) {
            series.values().removeIf(known -> known.last.plus(ONE_SERIES).isBefore(now));
            if (series.size() >= MOST_SERIES || toWrite.size() >= MOST_WAITING) {
                return;
            }
            Series known = series.computeIfAbsent(story, first -> new Series(now));
            known.last = now;
            known.count++;
            // A repeat that is told while the Event waits to be written is counted in it.
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
            Story story;
            Series known;
            synchronized (this) {
                story = toWrite.pollFirst();
                if (story == null) {
                    busy = false;
                    return;
                }
                known = series.get(story);
                if (known == null || !takeRequest()) {
                    series.remove(story);
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

    private void write(Story story, Series known) {
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
                    .addKeyValue("reason", story.reason().eventReason())
                    .addKeyValue("cause", failure.text())
                    .log("An Event was not written");
            forget(story);
        } catch (RuntimeException e) {
            LOG.error("An Event for {} could not be written", story.reason().eventReason(), e);
            forget(story);
        }
    }

    /** Told again, it is a new one. */
    private synchronized void forget(Story story) {
        series.remove(story);
    }

    private String event(Story story, String namespace, String name, Instant at, int count) {
        return EventJson.event(
                new EventJson.Head(namespace, name, at, instance),
                story.regarding(),
                story.related(),
                story.reason(),
                story.action(),
                story.message(),
                count);
    }

    /** Name of the object, cut, and something of its own. */
    private String name(Story story) {
        String of = story.regarding().name();
        int most = 200;
        return (of.length() > most ? of.substring(0, most) : of) + "." + Long.toHexString(random.nextLong());
    }
}
