package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ListParameters;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One open watch. Runs on the context of its request, except for the store's callback. */
final class WatchStream {
    /** An empty revision or 0 starts with all existing objects. */
    record WatchParameters(
            ListParameters query, String revision, boolean bookmarks, boolean initialEvents, Duration timeout) {}

    private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final Context context;
    private final HttpServerResponse response;
    private final ObjectOperations objects;
    private final ResourceType type;
    private final ResourceType storedType;
    private final ResponseEncoding encoding;
    private final WatchParameters parameters;
    private final ClusterFaults faults;
    private final List<Runnable> endings = new ArrayList<>();
    private boolean ended;
    private boolean first = true;
    private long seen;

    WatchStream(
            Vertx vertx,
            HttpServerResponse response,
            ObjectOperations objects,
            ResourceType type,
            ResponseEncoding encoding,
            WatchParameters parameters,
            ClusterFaults faults) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.response = response;
        this.objects = objects;
        this.type = type;
        this.storedType = io.osmhub.sim.objects.EventConversion.storedAs(type);
        this.encoding = encoding;
        this.parameters = parameters;
        this.faults = faults;
    }

    void start() {
        long from = revision(parameters.revision());
        response.putHeader("Content-Type", "application/json").setChunked(true).setStatusCode(200);
        response.closeHandler(_ -> end(false));
        response.exceptionHandler(_ -> end(false));
        response.writeHead();
        boolean everything = from == 0 || parameters.initialEvents();
        Runnable unsubscribe = subscribe(everything, from);
        if (unsubscribe == null) {
            String message = "too old resource version: %d (%d)"
                    .formatted(from, objects.store().compactedTo() + 1);
            write(ResponseEncoding.line(
                    "ERROR", JsonTrees.bytes(ApiError.expired(message).status())));
            end(true);
            return;
        }
        endings.add(unsubscribe);
        endings.add(faults.onChange(change -> {
            if (change == ClusterFaults.FaultChange.END_WATCHES) {
                context.runOnContext(_ -> end(true));
            }
        }));
        long timeout = vertx.setTimer(Math.max(1, parameters.timeout().toMillis()), _ -> {
            bookmark(false);
            context.runOnContext(_ -> end(true));
        });
        endings.add(() -> vertx.cancelTimer(timeout));
        if (parameters.bookmarks()) {
            long timer = vertx.setPeriodic(BOOKMARK_INTERVAL.toMillis(), _ -> bookmark(false));
            endings.add(() -> vertx.cancelTimer(timer));
        }
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
            return objects.store().watch(storedType.key(), start, event -> context.runOnContext(_ -> pass(event)));
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
        context.runOnContext(_ -> {
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
            response.write(Buffer.buffer(line));
        }
    }

    private void end(boolean byServer) {
        if (ended) {
            return;
        }
        ended = true;
        endings.forEach(Runnable::run);
        if (byServer && !response.closed()) {
            response.end();
        }
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
