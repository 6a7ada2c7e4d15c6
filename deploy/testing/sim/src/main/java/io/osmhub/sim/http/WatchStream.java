package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.EventConversion;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ListParameters;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One open watch. Runs on its loop, except for the store's callback. */
final class WatchStream {
    /** Revision 0 starts with all existing objects. */
    record WatchParameters(
            ListParameters query, long revision, boolean bookmarks, boolean initialEvents, Duration timeout) {}

    private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);

    private final ObjectOperations objects;
    private final ResourceType type;
    private final ResourceType storedType;
    private final ResponseEncoding encoding;
    private final WatchParameters parameters;
    private final EventLoop loop;
    private final Function<byte[], CompletionStage<?>> output;
    private final Runnable end;
    private final List<Runnable> endings = new ArrayList<>();
    private boolean ended;
    private boolean first = true;
    private long seen;

    WatchStream(
            ObjectOperations objects,
            ResourceType type,
            ResponseEncoding encoding,
            WatchParameters parameters,
            EventLoop loop,
            Function<byte[], CompletionStage<?>> output,
            Runnable end) {
        this.objects = objects;
        this.type = type;
        this.storedType = EventConversion.storedAs(type);
        this.encoding = encoding;
        this.parameters = parameters;
        this.loop = loop;
        this.output = output;
        this.end = end;
    }

    /** Returns what ends it. */
    Runnable start() {
        long from = parameters.revision();
        boolean everything = from == 0 || parameters.initialEvents();
        Runnable unsubscribe = subscribe(everything, from);
        if (unsubscribe == null) {
            String message = "too old resource version: %d (%d)"
                    .formatted(from, objects.store().compactedTo() + 1);
            write(ResponseEncoding.line(
                    "ERROR", JsonTrees.bytes(ApiError.expired(message).status())));
            endByServer();
            return this::stop;
        }
        endings.add(unsubscribe);
        endings.add(loop.schedule(parameters.timeout(), () -> {
            bookmark(false);
            endByServer();
        }));
        if (parameters.bookmarks()) {
            bookmarkLater();
        }
        return this::stop;
    }

    private void bookmarkLater() {
        var _ = loop.schedule(BOOKMARK_INTERVAL, () -> {
            if (!ended) {
                bookmark(false);
                bookmarkLater();
            }
        });
    }

    private @Nullable Runnable subscribe(boolean everything, long from) {
        return objects.store().runLocked(() -> {
            long start = from;
            if (everything) {
                start = objects.store().revision();
                for (StoredObject each :
                        objects.list(storedType, parameters.query()).items()) {
                    write(encoding.encodeEvent("ADDED", type, each, isFirst()));
                }
                seen = start;
                if (parameters.initialEvents()) {
                    bookmark(true);
                }
            }
            seen = start;
            return objects.store().watch(storedType.key(), start, event -> loop.execute(() -> pass(event)));
        });
    }

    private void pass(StoreEvent event) {
        seen = event.revision();
        StoredObject previous = event.previous();
        boolean was = previous != null && parameters.query().selects(previous);
        boolean is =
                event.type() != StoreEvent.Type.DELETED && parameters.query().selects(event.object());
        if (is) {
            write(encoding.encodeEvent(was ? "MODIFIED" : "ADDED", type, event.object(), isFirst()));
        } else if (was) {
            write(encoding.encodeEvent("DELETED", type, lastState(event), isFirst()));
        }
    }

    // An object that stops matching is reported as deleted in its last matching state, at the revision of the change.
    private static StoredObject lastState(StoreEvent event) {
        StoredObject previous = event.previous();
        if (event.type() == StoreEvent.Type.DELETED || previous == null) {
            return event.object();
        }
        ObjectNode tree = previous.tree();
        JsonTrees.child(tree, "metadata").put("resourceVersion", Long.toString(event.revision()));
        return StoredObject.of(tree, event.revision());
    }

    private void bookmark(boolean endOfInitialEvents) {
        if (!parameters.bookmarks()) {
            return;
        }
        // Without a later event of the kind, the watch is current up to the latest revision.
        long revision =
                objects.store().runLocked(() -> Math.max(seen, objects.store().revision()));
        loop.execute(() -> {
            ObjectNode object = JsonTrees.object();
            object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
            ObjectNode metadata = object.putObject("metadata");
            metadata.put("resourceVersion", Long.toString(revision)).putNull("creationTimestamp");
            if (endOfInitialEvents) {
                metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
            }
            write(ResponseEncoding.line("BOOKMARK", JsonTrees.bytes(object)));
        });
    }

    private boolean isFirst() {
        boolean was = first;
        first = false;
        return was;
    }

    private void write(byte[] line) {
        if (!ended) {
            var _ = output.apply(line);
        }
    }

    private void endByServer() {
        loop.execute(() -> {
            if (!ended) {
                stop();
                end.run();
            }
        });
    }

    private void stop() {
        ended = true;
        endings.forEach(Runnable::run);
    }

    /** A resourceVersion parameter as a number; an empty one is 0. */
    static long revision(String text) {
        try {
            return text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
        } catch (NumberFormatException notANumber) {
            throw ApiError.unclassified(
                    "resourceVersion: Invalid value: \"%1$s\": strconv.ParseUint: parsing \"%1$s\": invalid syntax"
                            .formatted(text));
        }
    }
}
