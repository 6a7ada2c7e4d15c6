package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.Locale;

/** Observes a {@link ListWatch}. Called on event loops and list threads; must not block. May suspend or resume the ListWatch. */
public interface ListWatchListener {
    /** Why a watch was restarted. */
    enum RestartReason {
        /** The version expired: everything was listed again. */
        EXPIRED,
        /** The server ended it, as it does every few minutes. */
        CLOSED,
        /** It broke, stalled, or delivered an invalid event. */
        ERROR;

        /** As in metrics. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The first list is complete, and the cache is usable. Called once. */
    void onSynced();

    /** A list or watch failed and will be retried. {@code inARow} counts from 1. */
    void onFailed(ApiFailure failure, int inARow);

    /** The server rejects the credential (401) or permission (403): retried with long pauses. */
    void onAccessDenied(ApiFailure failure);

    /** The server repeatedly ends the watch within a second; retried with growing pauses. */
    void onShortWatches(int inARow);

    /** Works again after one of the above. */
    void onRecovered();

    void onRestarted(RestartReason why);
}
