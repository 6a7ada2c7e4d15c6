package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Learns how each request to an API server went. Called on the thread of the caller or on an event loop; must not block. */
@FunctionalInterface
public interface RequestObserver {
    /** Nobody looks. */
    RequestObserver NONE = (verb, resource, failure, took) -> {};

    /**
     * A request is over. A watch counts when the server accepts or refuses it, not when it ends.
     *
     * @param resource null for a path that belongs to none, such as {@code /version}
     * @param failure null when it succeeded
     */
    void finished(Verb verb, @Nullable Resource resource, @Nullable ApiFailure failure, Duration took);
}
