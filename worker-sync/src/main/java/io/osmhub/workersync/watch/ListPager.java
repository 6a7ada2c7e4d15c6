package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.MemoryBudget.MemoryReservation;
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
    /** Bytes that are reserved at a time while a list is read. */
    private static final long RESERVATION_STEP = 64 * 1024;

    private final CachedSelection<T> cachedSelection;
    private final int most;
    private volatile int size;

    ListPager(CachedSelection<T> cachedSelection) {
        this.cachedSelection = cachedSelection;
        this.most = cachedSelection.resource() == Resource.OPERATING_SYSTEM_CONFIGS ? OF_LARGE_OBJECTS : USUAL;
        this.size = most;
    }

    /**
     * Reads the whole list as one page; blocks.
     *
     * @param memory for what exceeds {@code replacedBytes}
     * @param replacedBytes reserved memory of the cached objects, which the list replaces
     * @param slow called when a page timed out and is requested again in smaller ones
     * @throws IOException if a response is not a list
     * @throws ApiFailure also if the list exceeds the limits, as soon as that is known
     */
    WatchEvent.DecodedListPage<T> all(
            ObjectSource source, MemoryReservation memory, long replacedBytes, Consumer<ApiFailure> slow)
            throws ApiFailure, IOException {
        int attempt = 1;
        while (true) {
            try {
                return once(source, new PageCollector(memory, replacedBytes), slow);
            } catch (ApiFailure failure) {
                // The continue token expired.
                if (!failure.isGone() || attempt == ATTEMPTS) {
                    throw failure;
                }
                attempt++;
            }
        }
    }

    private WatchEvent.DecodedListPage<T> once(ObjectSource source, PageCollector received, Consumer<ApiFailure> slow)
            throws ApiFailure, IOException {
        String next = "";
        while (true) {
            int limit = size;
            PageCheckpoint before = received.checkpoint();
            try {
                byte[] rest = source.list(cachedSelection.selection().list(next, limit), received);
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
                        cachedSelection.selection(),
                        failure.text(),
                        size,
                        limit);
                slow.accept(failure);
                received.rollBackTo(before);
            }
        }
    }

    /** What was received before a page. */
    private record PageCheckpoint(int items, int objects, long bytes, long keptBytes) {}

    private final class PageCollector implements ItemSplitter.ItemHandler {
        private final List<ObservedObject<T>> items = new ArrayList<>();
        private final MemoryReservation memory;
        private final long replacedBytes;
        private int objects;
        private long bytes;
        private long keptBytes;

        PageCollector(MemoryReservation memory, long replacedBytes) {
            this.memory = memory;
            this.replacedBytes = replacedBytes;
        }

        PageCheckpoint checkpoint() {
            return new PageCheckpoint(items.size(), objects, bytes, keptBytes);
        }

        /** Discards what was received after {@code place}. */
        void rollBackTo(PageCheckpoint place) {
            items.subList(place.items, items.size()).clear();
            objects = place.objects;
            bytes = place.bytes;
            keptBytes = place.keptBytes;
        }

        void count(byte[] json) throws ApiFailure {
            bytes += json.length;
            SelectionLimits limits = cachedSelection.limits();
            if (!limits.isWithin(objects, bytes)) {
                throw limits.limitExceeded(cachedSelection.selection());
            }
        }

        @Override
        public void onItem(byte[] json) throws ApiFailure, IOException {
            objects++;
            count(json);
            add(WatchEvent.item(cachedSelection, json));
        }

        @Override
        public void onTooLarge(MetadataScanner object, String why) throws ApiFailure, IOException {
            objects++;
            add(WatchEvent.unreadableItem(cachedSelection, object, why));
        }

        private void add(ObservedObject<T> seen) throws ApiFailure {
            // Objects that are not kept count as absent.
            if (seen.isKept()) {
                keptBytes += seen.cachedBytes();
                reserve();
                items.add(seen);
            }
        }

        private void reserve() throws ApiFailure {
            long needed = keptBytes - replacedBytes;
            if (needed > memory.bytes() && !memory.tryResize(Math.max(needed, memory.bytes() + RESERVATION_STEP))) {
                throw ApiFailure.withoutResponse(
                        ApiFailure.ApiFailureKind.UNREADABLE,
                        "no memory for " + keptBytes / 1024
                                + " KiB of these objects in addition to those of other clusters; delete unneeded"
                                + " objects, or raise the hub's memory limit");
            }
        }
    }
}
