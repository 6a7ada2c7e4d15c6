package io.osmhub.workersync.port;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The OperatingSystemConfigs of one tenant. Reads use a cache that includes the hub's own writes; writes block until the
 * management cluster responds.
 */
public interface ConfigStore {
    /** Returns null if there is none. */
    @Nullable StoredConfig find(String name);

    /** Why an existing object cannot be read; null if it can, or does not exist. */
    default @Nullable Problem unreadable(String name) {
        return null;
    }

    Collection<StoredConfig> all();

    /** Whether the CustomResourceDefinition has a status subresource; OSM's has none. */
    boolean hasStatusSubresource();

    /** Creates the object with additional annotations. */
    StoredConfig create(OperatingSystemConfig config, Map<String, String> ownAnnotations) throws ApiFailure;

    /** Applies a merge patch of the metadata; fails with a conflict if {@code found} is outdated. */
    StoredConfig patch(StoredConfig found, String patch) throws ApiFailure;

    /** Deletes and recreates the object, because its spec is immutable; fails with a conflict if {@code found} is outdated. */
    StoredConfig replace(StoredConfig found, OperatingSystemConfig config, Map<String, String> ownAnnotations)
            throws ApiFailure;

    /** Deletes the object if it is still {@code found}; succeeds if it does not exist. */
    void delete(StoredConfig found) throws ApiFailure;

    /** Queues a status for writing, replacing a queued one of the same name; does nothing if the CRD has no status subresource. */
    void enqueueStatus(String name, OperatingSystemConfigStatus status);
}
