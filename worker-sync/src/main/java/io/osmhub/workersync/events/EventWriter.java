package io.osmhub.workersync.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.ForbiddenRequests;
import io.osmhub.workersync.port.EventRecorder;
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
import java.util.function.Function;
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
    private static final Duration SERIES_LIFETIME = Duration.ofMinutes(10);
    private static final int MAX_REQUESTS = 10;
    private static final Duration REQUEST_PERIOD = Duration.ofMinutes(1);

    /** Queue limit; keeps the oldest, which show how a flood began. */
    private static final int MAX_QUEUED = 50;

    /** The budget allows a hundred new ones in ten minutes, but those that recur are kept longer. */
    private static final int MAX_SERIES = 200;

    private static final int MAX_OBJECT_NAME = 200;
    /** Maximum length of {@code note} that the API server accepts, in bytes. */
    private static final int MAX_NOTE = 1024;
    /** Maximum length of {@code reportingInstance} that the API server accepts. */
    private static final int MAX_INSTANCE = 128;

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    private final CurrentConnection currentConnection;
    private final ForbiddenRequests forbiddenRequests;
    private final Scheduler scheduler;
    private final Executor executor;
    private final RandomGenerator random;
    private final String instance;

    private final Map<EventKey, Occurrences> occurrencesByKey = new LinkedHashMap<>();
    private final Deque<EventKey> queuedKeys = new ArrayDeque<>();
    private final Deque<Instant> requestTimes = new ArrayDeque<>();
    private boolean writing;

    /** Identity of a series. */
    private record EventKey(Regarding regarding, @Nullable Regarding related, Problem event, Action action) {}

    /** Occurrences of one Event. */
    private static final class Occurrences {
        private Instant lastTime;
        private int count;
        /** Empty until written. */
        private String name = "";

        private int writtenCount;

        Occurrences(Instant firstTime) {
            lastTime = firstTime;
        }
    }

    /**
     * @param executor runs the task that waits for responses
     * @param instance name of the replica, as {@code reportingInstance}
     */
    public EventWriter(
            CurrentConnection currentConnection,
            Scheduler scheduler,
            Executor executor,
            RandomGenerator random,
            String instance) {
        this.currentConnection = currentConnection;
        this.forbiddenRequests = new ForbiddenRequests(scheduler::nanoTime, currentConnection);
        this.scheduler = scheduler;
        this.executor = executor;
        this.random = random;
        this.instance = instance.substring(0, Math.min(MAX_INSTANCE, instance.length()));
    }

    @Override
    public void recordEvent(Regarding regarding, @Nullable Regarding related, Problem event, Action action) {
        EventKey key = new EventKey(regarding, related, event, action);
        Instant now = scheduler.now();
        synchronized (this) {
            occurrencesByKey
                    .values()
                    .removeIf(series -> series.lastTime.plus(SERIES_LIFETIME).isBefore(now));
            if (queuedKeys.size() >= MAX_QUEUED
                    || occurrencesByKey.size() >= MAX_SERIES && !occurrencesByKey.containsKey(key)) {
                return;
            }
            Occurrences series = occurrencesByKey.computeIfAbsent(key, first -> new Occurrences(now));
            series.lastTime = now;
            series.count++;
            // A repeat of an Event that is still queued is counted in it.
            if (!queuedKeys.contains(key)) {
                queuedKeys.addLast(key);
            }
            if (writing) {
                return;
            }
            writing = true;
        }
        executor.execute(this::writeAll);
    }

    private void writeAll() {
        while (true) {
            EventKey key;
            Occurrences series;
            synchronized (this) {
                key = queuedKeys.pollFirst();
                if (key == null) {
                    writing = false;
                    return;
                }
                series = occurrencesByKey.get(key);
                if (series == null) {
                    continue;
                }
                if (!takeRequest()) {
                    remove(key, series, false);
                    continue;
                }
            }
            write(key, series);
        }
    }

    private boolean takeRequest() {
        Instant now = scheduler.now();
        while (!requestTimes.isEmpty()
                && !requestTimes.getFirst().plus(REQUEST_PERIOD).isAfter(now)) {
            requestTimes.removeFirst();
        }
        return requestTimes.size() < MAX_REQUESTS && requestTimes.add(now);
    }

    private void write(EventKey key, Occurrences series) {
        int count;
        String name;
        Instant lastTime;
        synchronized (this) {
            count = series.count;
            name = series.name;
            lastTime = series.lastTime;
        }
        String namespace = key.regarding().namespace().isEmpty()
                ? "default"
                : key.regarding().namespace();
        try {
            if (name.isEmpty()) {
                name = createName(key);
                Event event = toEvent(key, namespace, name, lastTime, count);
                send(
                        event,
                        client -> client.events().v1().events().resource(event).create(),
                        client -> client.v1()
                                .events()
                                .resource(inCoreGroup(event))
                                .create());
            } else if (count > series.writtenCount) {
                Event event = new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withSeries(series(count, lastTime))
                        .build();
                PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
                send(
                        event,
                        client -> client.events()
                                .v1()
                                .events()
                                .resource(event)
                                .patch(
                                        merge,
                                        client.getKubernetesSerialization().asJson(event)),
                        client -> client.v1()
                                .events()
                                .resource(inCoreGroup(event))
                                .patch(
                                        merge,
                                        client.getKubernetesSerialization().asJson(inCoreGroup(event))));
            }
            synchronized (this) {
                series.name = name;
                series.writtenCount = count;
            }
        } catch (ApiFailure failure) {
            LOG.atDebug()
                    .addKeyValue("reason", key.event().reason().description().eventReason())
                    .addKeyValue("cause", failure.text())
                    .log("Event not written");
            // A deleted Event, or one that may not be changed, cannot count the next occurrence.
            remove(key, series, !failure.isTransient());
        } catch (RuntimeException e) {
            LOG.error(
                    "Cannot write Event {}", key.event().reason().description().eventReason(), e);
            remove(key, series, true);
        }
    }

    /** Where Events of their own group are forbidden, those of the core group may be permitted. */
    private void send(
            Event event, Function<KubernetesClient, Object> request, Function<KubernetesClient, Object> inCoreGroup)
            throws ApiFailure {
        forbiddenRequests.send(
                "events in " + event.getMetadata().getNamespace(),
                () -> currentConnection.get().call(request),
                () -> currentConnection.get().call(inCoreGroup));
    }

    /** The core group's Event has older field names. Source: Kubernetes API reference, Event v1 and events.k8s.io/v1. */
    private static io.fabric8.kubernetes.api.model.Event inCoreGroup(Event event) {
        EventSeries series = event.getSeries();
        return new io.fabric8.kubernetes.api.model.EventBuilder()
                .withMetadata(event.getMetadata())
                .withAction(event.getAction())
                .withEventTime(event.getEventTime())
                .withMessage(event.getNote())
                .withReason(event.getReason())
                .withReportingComponent(event.getReportingController())
                .withReportingInstance(event.getReportingInstance())
                .withType(event.getType())
                .withInvolvedObject(event.getRegarding())
                .withRelated(event.getRelated())
                .withSeries(
                        series == null
                                ? null
                                : new io.fabric8.kubernetes.api.model.EventSeries(
                                        series.getCount(), series.getLastObservedTime()))
                .build();
    }

    /**
     * The next occurrence creates a new Event.
     *
     * @param written whether to remove also an Event that was written
     */
    private synchronized void remove(EventKey key, Occurrences series, boolean written) {
        if (written || series.name.isEmpty()) {
            occurrencesByKey.remove(key);
        }
    }

    /** Truncated object name and a unique suffix. */
    private String createName(EventKey key) {
        String name = key.regarding().name();
        return name.substring(0, Math.min(MAX_OBJECT_NAME, name.length())) + "." + Long.toHexString(random.nextLong());
    }

    private Event toEvent(EventKey key, String namespace, String name, Instant time, int count) {
        Reason reason = key.event().reason();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withAction(key.action().wireName())
                .withNewEventTime(MICRO_TIME.format(time))
                .withNote(truncateNote(key.event().message()))
                .withReason(reason.description().eventReason())
                .withReportingController("osmhub.io/hub")
                .withReportingInstance(instance)
                .withType(reason.severity() == Severity.INFO ? "Normal" : "Warning")
                .withRegarding(reference(key.regarding()))
                .withRelated(key.related() == null ? null : reference(key.related()))
                .withSeries(count > 1 ? series(count, time) : null)
                .build();
    }

    private static EventSeries series(int count, Instant lastTime) {
        return new EventSeries(count, new MicroTime(MICRO_TIME.format(lastTime)));
    }

    private static ObjectReference reference(Regarding regarding) {
        return new ObjectReferenceBuilder()
                .withApiVersion(regarding.apiVersion())
                .withKind(regarding.kind())
                .withNamespace(regarding.namespace().isEmpty() ? null : regarding.namespace())
                .withName(regarding.name())
                .withUid(regarding.uid())
                .build();
    }

    private static String truncateNote(String message) {
        String note = message;
        while (note.getBytes(UTF_8).length > MAX_NOTE) {
            note = note.substring(0, note.offsetByCodePoints(note.length(), -1));
        }
        return note;
    }
}
