package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the lists of one selection together from their pages, which are smaller while the server is too slow for them. Thread-safe. */
final class Pages<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);
    private static final int ATTEMPTS = 3;
    private static final int USUAL = 500;
    /** An OperatingSystemConfig has about 30 kB, of which the spec is needed for its hash. */
    private static final int OF_LARGE_OBJECTS = 100;

    private static final int LEAST = 10;
    private static final int SMALLER = 5;
    private static final int LARGER = 2;

    private final Selection selection;
    private final Decoder<T> decoder;
    private final Bounds bounds;
    private final int most;
    private volatile int size;

    Pages(Selection selection, Decoder<T> decoder, Bounds bounds) {
        this.selection = selection;
        this.decoder = decoder;
        this.bounds = bounds;
        this.most = selection.resource() == Resource.OPERATING_SYSTEM_CONFIGS ? OF_LARGE_OBJECTS : USUAL;
        this.size = most;
    }

    /**
     * The whole list, as one page; waits for the answers.
     *
     * @param slow is called when a page was not received completely in time and is requested again in smaller ones
     * @throws IOException when an answer is no list
     * @throws ApiFailure also when there is more than the bounds allow, as soon as that is known
     */
    WatchEvent.Page<T> all(KubeApi api, KeptMemory.Listing memory, Consumer<ApiFailure> slow)
            throws ApiFailure, IOException {
        int attempt = 1;
        while (true) {
            try {
                return once(api, memory, slow);
            } catch (ApiFailure failure) {
                // The first page is too old by now for the next one.
                if (!failure.isGone() || attempt == ATTEMPTS) {
                    throw failure;
                }
                attempt++;
                memory.backTo(0);
            }
        }
    }

    private WatchEvent.Page<T> once(KubeApi api, KeptMemory.Listing memory, Consumer<ApiFailure> slow)
            throws ApiFailure, IOException {
        Received received = new Received(memory);
        String next = "";
        while (true) {
            int limit = size;
            Place before = received.place();
            try {
                byte[] rest = api.list(selection.list(next, limit), received::add);
                received.count(rest);
                size = Math.min(most, limit * LARGER);
                WatchEvent.Page<T> page = WatchEvent.page(received.items, rest);
                next = page.next();
                if (next.isEmpty()) {
                    return page;
                }
            } catch (ApiFailure failure) {
                if (failure.why() != ApiFailure.Cause.TIMED_OUT || limit == LEAST) {
                    throw failure;
                }
                size = Math.max(LEAST, limit / SMALLER);
                if (received.objects == before.objects()) {
                    // It may as well be down: smaller pages are for the next try, after a pause.
                    throw failure;
                }
                LOG.warn(
                        "List of {} is slow ({}), requesting pages of {} objects instead of {}",
                        selection,
                        failure.text(),
                        size,
                        limit);
                slow.accept(failure);
                received.backTo(before);
            }
        }
    }

    /** How much was received before a page. */
    private record Place(int items, int objects, long bytes, long kept) {}

    /** The objects of all pages so far. */
    private final class Received {
        private final List<Seen<T>> items = new ArrayList<>();
        private final KeptMemory.Listing memory;
        private int objects;
        private long bytes;

        Received(KeptMemory.Listing memory) {
            this.memory = memory;
        }

        Place place() {
            return new Place(items.size(), objects, bytes, memory.bytes());
        }

        /** The rest is received again. */
        void backTo(Place place) {
            items.subList(place.items, items.size()).clear();
            objects = place.objects;
            bytes = place.bytes;
            memory.backTo(place.kept);
        }

        void count(byte[] json) throws ApiFailure {
            bytes += json.length;
            if (!bounds.areKept(objects, bytes)) {
                throw bounds.exceeded(selection);
            }
        }

        void add(byte[] json) throws ApiFailure, IOException {
            objects++;
            count(json);
            Seen<T> seen = WatchEvent.item(json, decoder);
            // One that is not kept is as good as not there.
            if (seen.object() != null) {
                memory.add(seen);
                items.add(seen);
            }
        }
    }
}
