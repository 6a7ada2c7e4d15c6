package io.osmhub.workersync.port;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The OperatingSystemConfigs of one tenant. Reads answer from a cache, which also holds what was just written; writes wait for
 * the management cluster's answer.
 */
public interface ConfigStore {
    /** Null when there is none of that name. */
    @Nullable StoredConfig find(String name);

    Collection<StoredConfig> all();

    /** Whether the CustomResourceDefinition has a status; that of the peer has none. */
    boolean keepsStatus();

    /** Creates it with further annotations beside its own. */
    StoredConfig create(OperatingSystemConfig config, Map<String, String> ownAnnotations) throws ApiFailure;

    /**
     * Deletes the object that was found and creates it anew, because the spec of one is immutable; a conflict when it is no
     * longer that one.
     */
    StoredConfig replace(StoredConfig found, OperatingSystemConfig config, Map<String, String> ownAnnotations)
            throws ApiFailure;

    /** Deletes the object that was found; one that is gone already is a success. */
    void delete(StoredConfig found) throws ApiFailure;

    /**
     * Hands a status to the lane that writes it when there is time, the latest one for each name; where the CRD has no status,
     * it goes nowhere.
     */
    void offerStatus(String name, OperatingSystemConfigStatus status);
}
