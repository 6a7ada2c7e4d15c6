package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.Locale;

/**
 * Hears how a {@link ListWatch} fares. Called on event loops and list threads: hands over and returns. It may suspend or
 * resume the ListWatch.
 */
public interface WatchListener {
    /** Why a watch was begun anew. */
    enum Restart {
        /** The server no longer knew the version: everything was listed again. */
        EXPIRED,
        /** The server ended it, as it does every few minutes. */
        CLOSED,
        /** It broke, said nothing for too long, or held what is no event. */
        ERROR;

        /** As in metrics. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The first list is complete: from now on the cache can be asked. Comes once. */
    void synced();

    /** A list or watch failed and will be tried again. {@code inARow} counts from 1. */
    void failed(ApiFailure failure, int inARow);

    /** The server refuses the credential (401) or lacks a right (403): it is tried again with long pauses. */
    void refused(ApiFailure failure);

    /** The server ends the watch again and again within a second; it goes on with growing pauses. */
    void endsAtOnce(int inARow);

    /** It works again after one of the above. */
    void recovered();

    /** A watch was begun anew. */
    void restarted(Restart why);
}
