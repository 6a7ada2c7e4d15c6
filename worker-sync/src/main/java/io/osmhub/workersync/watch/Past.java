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
 * What the API server still knows of a selection's past. Waits for its answers, so only on virtual threads. Every method throws
 * {@link ApiFailure}, gone (410) when the server has forgotten.
 */
public final class Past<T> {
    /** The server ends such a watch by itself; what it had to tell comes at once. */
    private static final long WATCH_SECONDS = 1;

    private static final long PATIENCE_SECONDS = 30;

    private final KubeApi api;
    private final Selection selection;
    private final Decoder<T> decoder;

    public Past(KubeApi api, Selection selection, Decoder<T> decoder) {
        this.api = api;
        this.selection = selection;
        this.decoder = decoder;
    }

    /** How far a look into the past got. */
    public enum End {
        /** The server ended the watch: it has told what it had, but need not have told all. */
        ENDED,
        /** It said by a change or a bookmark that it is past the version asked for. */
        REACHED
    }

    /** One step of a running watch. */
    private sealed interface Step<T> {
        record Told<T>(WatchEvent<T> event) implements Step<T> {}

        record Ended<T>() implements Step<T> {}

        record Broken<T>(ApiFailure failure) implements Step<T> {}
    }

    /**
     * What happened after one version, up to and including another, in order.
     *
     * @param each hears of each change
     */
    public End changes(String after, String until, Consumer<Change<T>> each) throws ApiFailure, InterruptedException {
        BlockingQueue<Step<T>> steps = new LinkedBlockingQueue<>();
        KubeApi.Watch watch = api.watch(selection.watch(after, WATCH_SECONDS), new Lines(steps));
        try {
            while (true) {
                Step<T> step = steps.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                switch (step) {
                    case null -> throw ApiFailure.noAnswer(ApiFailure.Cause.TIMED_OUT, "the watch says nothing");
                    case Step.Ended<T>() -> {
                        return End.ENDED;
                    }
                    case Step.Broken<T>(ApiFailure failure) -> throw failure;
                    case Step.Told<T>(WatchEvent<T> event) -> {
                        if (isPast(event, until, each)) {
                            return End.REACHED;
                        }
                    }
                }
            }
        } finally {
            watch.stop();
        }
    }

    private boolean isPast(WatchEvent<T> event, String until, Consumer<Change<T>> each) throws ApiFailure {
        return switch (event) {
            case WatchEvent.Put<T>(Seen<T> seen, boolean added) ->
                told(new Change<>(added ? Change.Kind.ADDED : Change.Kind.MODIFIED, seen), until, each);
            case WatchEvent.Gone<T>(Seen<T> last) -> told(new Change<>(Change.Kind.DELETED, last), until, each);
            case WatchEvent.Bookmark<T>(String version) -> !Seen.isOlder(version, until);
            case WatchEvent.Failed<T>(ApiFailure failure) -> throw failure;
        };
    }

    private boolean told(Change<T> change, String until, Consumer<Change<T>> each) {
        boolean later = Seen.isOlder(until, change.seen().resourceVersion());
        if (!later) {
            each.accept(change);
        }
        return later || change.seen().resourceVersion().equals(until);
    }

    /** One object as it was at a version; null when there was none of that name. */
    public @Nullable Seen<T> at(String namespace, String name, String version) throws ApiFailure {
        Map<String, String> query = new TreeMap<>(Map.of(
                "fieldSelector", "metadata.name=" + name, "resourceVersion", version, "resourceVersionMatch", "Exact"));
        List<Seen<T>> items = new ArrayList<>();
        try {
            byte[] body = api.list(
                    ApiRequest.list(selection.resource(), namespace, query),
                    json -> items.add(WatchEvent.item(json, decoder)));
            WatchEvent.Page<T> page = WatchEvent.page(items, body);
            if (!page.resourceVersion().equals(version)) {
                throw new ApiFailure(
                        ApiFailure.Cause.ANSWERED,
                        410,
                        "Expired",
                        "the server does not answer for a past version",
                        null);
            }
            return page.items().isEmpty() ? null : page.items().getFirst();
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not a list");
        }
    }

    private final class Lines implements KubeApi.WatchLines {
        private final BlockingQueue<Step<T>> steps;

        Lines(BlockingQueue<Step<T>> steps) {
            this.steps = steps;
        }

        @Override
        public void opened() {}

        @Override
        public void line(byte[] json, UnaryOperator<String> redactor) {
            try {
                steps.add(new Step.Told<>(WatchEvent.read(json, decoder, redactor)));
            } catch (IOException e) {
                failed(ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the watch sends something else than events"));
            }
        }

        @Override
        public void ended() {
            steps.add(new Step.Ended<>());
        }

        @Override
        public void failed(ApiFailure failure) {
            steps.add(new Step.Broken<>(failure));
        }
    }
}
