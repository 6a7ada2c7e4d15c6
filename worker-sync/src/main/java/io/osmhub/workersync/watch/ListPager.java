package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.ObjectSource;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads lists page by page, with smaller pages while the server is too slow. Thread-safe. */
final class ListPager<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ListPager.class);
    private static final int ATTEMPTS = 3;
    private static final int USUAL = 500;
    /** An OperatingSystemConfig has about 30 kB, and its spec is needed for its hash. */
    private static final int OF_LARGE_OBJECTS = 100;

    private static final int LEAST = 10;
    private static final int SMALLER = 5;
    private static final int LARGER = 2;

    private final Selection selection;
    private final ObjectDecoder<T> decoder;
    private final ObjectCache<T> cache;
    private final SelectionLimits selectionLimits;
    private final int most;
    private volatile int size;

    /** @param cache has earlier versions */
    ListPager(Selection selection, ObjectDecoder<T> decoder, ObjectCache<T> cache, SelectionLimits selectionLimits) {
        this.selection = selection;
        this.decoder = decoder;
        this.cache = cache;
        this.selectionLimits = selectionLimits;
        this.most = selection.resource() == Resource.OPERATING_SYSTEM_CONFIGS ? OF_LARGE_OBJECTS : USUAL;
        this.size = most;
    }

    /**
     * Reads the whole list as one page; blocks.
     *
     * @param slow called when a page timed out and is requested again in smaller ones
     * @throws IOException if a response is not a list
     * @throws ApiFailure also if the list exceeds the limits, as soon as that is known
     */
    WatchEvent.DecodedListPage<T> all(
            ObjectSource source, CacheMemory.ListReservation memory, Consumer<ApiFailure> slow)
            throws ApiFailure, IOException {
        int attempt = 1;
        while (true) {
            try {
                return once(source, memory, slow);
            } catch (ApiFailure failure) {
                // The continue token expired.
                if (!failure.isGone() || attempt == ATTEMPTS) {
                    throw failure;
                }
                attempt++;
                memory.rollBackTo(0);
            }
        }
    }

    private WatchEvent.DecodedListPage<T> once(
            ObjectSource source, CacheMemory.ListReservation memory, Consumer<ApiFailure> slow)
            throws ApiFailure, IOException {
        PageCollector received = new PageCollector(memory);
        String next = "";
        while (true) {
            int limit = size;
            PageCheckpoint before = received.checkpoint();
            try {
                byte[] rest = source.list(selection.list(next, limit), received);
                received.count(rest);
                size = Math.min(most, limit * LARGER);
                WatchEvent.DecodedListPage<T> page = WatchEvent.page(received.items, rest);
                next = page.next();
                if (next.isEmpty()) {
                    return page;
                }
            } catch (ApiFailure failure) {
                if (failure.kind() != ApiFailure.ApiFailureKind.TIMED_OUT || limit == LEAST) {
                    throw failure;
                }
                size = Math.max(LEAST, limit / SMALLER);
                if (received.objects == before.objects()) {
                    // The server may be down: retry with smaller pages only after a pause.
                    throw failure;
                }
                LOG.warn(
                        "List of {} is slow ({}), requesting pages of {} objects instead of {}",
                        selection,
                        failure.text(),
                        size,
                        limit);
                slow.accept(failure);
                received.rollBackTo(before);
            }
        }
    }

    /** What was received before a page. */
    private record PageCheckpoint(int items, int objects, long bytes, long kept) {}

    private final class PageCollector implements ItemSplitter.ItemHandler {
        private final List<ObservedObject<T>> items = new ArrayList<>();
        private final CacheMemory.ListReservation memory;
        private int objects;
        private long bytes;

        PageCollector(CacheMemory.ListReservation memory) {
            this.memory = memory;
        }

        PageCheckpoint checkpoint() {
            return new PageCheckpoint(items.size(), objects, bytes, memory.bytes());
        }

        /** Discards what was received after {@code place}. */
        void rollBackTo(PageCheckpoint place) {
            items.subList(place.items, items.size()).clear();
            objects = place.objects;
            bytes = place.bytes;
            memory.rollBackTo(place.kept);
        }

        void count(byte[] json) throws ApiFailure {
            bytes += json.length;
            if (!selectionLimits.isWithin(objects, bytes)) {
                throw selectionLimits.limitExceeded(selection);
            }
        }

        @Override
        public void onItem(byte[] json) throws ApiFailure, IOException {
            objects++;
            count(json);
            add(WatchEvent.item(selection.resource(), json, decoder, cache));
        }

        @Override
        public void onTooLarge(MetadataScanner object, String why) throws ApiFailure, IOException {
            objects++;
            add(WatchEvent.unreadableItem(selection.resource(), object, why, decoder, cache));
        }

        private void add(ObservedObject<T> seen) throws ApiFailure {
            // Objects that are not kept count as absent.
            if (seen.isKept()) {
                memory.add(seen);
                items.add(seen);
            }
        }
    }
}
