package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Observes requests to API servers. Called on the caller's thread or on an event loop; must not block. */
@FunctionalInterface
public interface RequestObserver {
    /** Ignores everything. */
    RequestObserver NONE = (verb, resource, failure, took) -> {};

    /**
     * Called when a request ends; for a watch, when the server accepts or rejects it.
     *
     * @param resource null for a non-resource path, such as {@code /version}
     * @param failure null on success
     */
    void onFinished(Verb verb, @Nullable Resource resource, @Nullable ApiFailure failure, Duration took);
}
