package io.osmhub.workersync.apiserver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives every request of a unit of work. Called on the sending thread; must not block. */
@FunctionalInterface
public interface RequestListener {
    /**
     * @param status of the response; {@link ApiFailure#NO_ANSWER} if none could be read
     * @param failure null on success
     */
    void onResponse(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took);
}
