package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Puts a list together from its pages. */
final class Pages {
    private static final int ATTEMPTS = 3;

    private Pages() {}

    /**
     * The whole list, as one page; waits for the answers.
     *
     * @throws IOException when an answer is no list
     * @throws ApiFailure also when there is more than the bounds allow, as soon as that is known
     */
    static <T> WatchEvent.Page<T> all(KubeApi api, Selection selection, Decoder<T> decoder, Bounds bounds)
            throws ApiFailure, IOException {
        int attempt = 1;
        while (true) {
            try {
                List<Seen<T>> items = new ArrayList<>();
                WatchEvent.Page<T> page;
                String next = "";
                long bytes = 0;
                do {
                    byte[] body = api.send(selection.list(next));
                    bytes += body.length;
                    page = WatchEvent.page(body, decoder);
                    items.addAll(page.items());
                    if (!bounds.areKept(items.size(), bytes)) {
                        throw bounds.exceeded(selection);
                    }
                    next = page.next();
                } while (!next.isEmpty());
                return new WatchEvent.Page<>(items, page.resourceVersion(), "");
            } catch (ApiFailure failure) {
                // The first page is too old by now for the next one.
                if (!failure.isGone() || attempt == ATTEMPTS) {
                    throw failure;
                }
                attempt++;
            }
        }
    }
}
