package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads past states of a selection that the API server still has. Blocks; call it on virtual threads. Every method throws {@link
 * ApiFailure}, gone (410) if the server no longer has the version.
 */
public final class WatchHistory<T> {
    /** The server ends such a watch; it delivers past events at once. */
    private static final long WATCH_SECONDS = 1;

    private static final long PATIENCE_SECONDS = 30;

    private final KubeApi api;
    private final Selection selection;
    private final ObjectDecoder<T> decoder;

    public WatchHistory(KubeApi api, Selection selection, ObjectDecoder<T> decoder) {
        this.api = api;
        this.selection = selection;
        this.decoder = decoder;
    }

    /** Why reading past changes ended. */
    public enum HistoryEnd {
        /** The server ended the watch; later changes may be missing. */
        ENDED,
        /** A change or a bookmark shows that the requested version was reached. */
        REACHED
    }

    private sealed interface WatchStep<T> {
        record EventReceived<T>(WatchEvent<T> event) implements WatchStep<T> {}

        record StreamEnded<T>() implements WatchStep<T> {}

        record StreamFailed<T>(ApiFailure failure) implements WatchStep<T> {}
    }

    /** Reads the changes after one version, up to and including another, in order. */
    public HistoryEnd readChanges(String after, String until, Consumer<ObjectChange<T>> each)
            throws ApiFailure, InterruptedException {
        BlockingQueue<WatchStep<T>> steps = new LinkedBlockingQueue<>();
        KubeApi.Watch watch = api.watch(selection.watch(after, WATCH_SECONDS), new HistoryLineHandler(steps));
        try {
            while (true) {
                WatchStep<T> step = steps.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                switch (step) {
                    case null ->
                        throw ApiFailure.withoutResponse(
                                ApiFailure.ApiFailureKind.TIMED_OUT, "no watch events received");
                    case WatchStep.StreamEnded<T>() -> {
                        return HistoryEnd.ENDED;
                    }
                    case WatchStep.StreamFailed<T>(ApiFailure failure) -> throw failure;
                    case WatchStep.EventReceived<T>(WatchEvent<T> event) -> {
                        if (isPast(event, until, each)) {
                            return HistoryEnd.REACHED;
                        }
                    }
                }
            }
        } finally {
            watch.stop();
        }
    }

    private boolean isPast(WatchEvent<T> event, String until, Consumer<ObjectChange<T>> each) throws ApiFailure {
        return switch (event) {
            case WatchEvent.Upserted<T>(ObservedObject<T> seen, boolean added) ->
                told(
                        new ObjectChange<>(added ? ObjectChange.Kind.ADDED : ObjectChange.Kind.MODIFIED, seen),
                        until,
                        each);
            case WatchEvent.Deleted<T>(ObservedObject<T> last) ->
                told(new ObjectChange<>(ObjectChange.Kind.DELETED, last), until, each);
            case WatchEvent.Bookmark<T>(String version) -> !ObservedObject.isOlder(version, until);
            case WatchEvent.Failed<T>(ApiFailure failure) -> throw failure;
        };
    }

    private boolean told(ObjectChange<T> change, String until, Consumer<ObjectChange<T>> each) {
        boolean later = ObservedObject.isOlder(until, change.seen().resourceVersion());
        if (!later) {
            each.accept(change);
        }
        return later || change.seen().resourceVersion().equals(until);
    }

    /** Reads an object at a version; null if it did not exist. */
    public @Nullable ObservedObject<T> readObject(String namespace, String name, String version) throws ApiFailure {
        Map<String, String> query = new TreeMap<>(Map.of(
                "fieldSelector", "metadata.name=" + name, "resourceVersion", version, "resourceVersionMatch", "Exact"));
        List<ObservedObject<T>> items = new ArrayList<>();
        try {
            byte[] body = api.list(
                    ApiRequest.list(selection.resource(), namespace, query),
                    json -> items.add(WatchEvent.item(json, decoder)));
            WatchEvent.DecodedListPage<T> page = WatchEvent.page(items, body);
            if (!page.resourceVersion().equals(version)) {
                throw new ApiFailure(
                        ApiFailure.ApiFailureKind.ANSWERED,
                        410,
                        "Expired",
                        "the server did not return the requested version",
                        null);
            }
            return page.items().isEmpty() ? null : page.items().getFirst();
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not a list");
        }
    }

    private final class HistoryLineHandler implements KubeApi.WatchLineHandler {
        private final BlockingQueue<WatchStep<T>> steps;

        HistoryLineHandler(BlockingQueue<WatchStep<T>> steps) {
            this.steps = steps;
        }

        @Override
        public void onOpened() {}

        @Override
        public void onLine(byte[] json, UnaryOperator<String> redactor) {
            try {
                steps.add(new WatchStep.EventReceived<>(WatchEvent.read(json, decoder, redactor)));
            } catch (IOException e) {
                onFailed(ApiFailure.withoutResponse(
                        ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not a watch event"));
            }
        }

        @Override
        public void onEnded() {
            steps.add(new WatchStep.StreamEnded<>());
        }

        @Override
        public void onFailed(ApiFailure failure) {
            steps.add(new WatchStep.StreamFailed<>(failure));
        }
    }
}
