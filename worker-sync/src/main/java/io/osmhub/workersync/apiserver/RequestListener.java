package io.osmhub.workersync.apiserver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Hears of each request that a piece of work sends. Called on the thread that sent it; must not block. */
@FunctionalInterface
public interface RequestListener {
    /**
     * A request is over.
     *
     * @param status of the answer; {@link ApiFailure#NO_ANSWER} when there was none that could be read
     * @param failure null when it succeeded
     */
    void answered(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took);
}
