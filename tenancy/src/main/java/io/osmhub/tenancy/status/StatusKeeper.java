package io.osmhub.tenancy.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.workersync.apiserver.Resource;
import org.jspecify.annotations.Nullable;

/** The cache that holds the objects of one kind with their statuses. */
public interface StatusKeeper {
    Resource resource();

    /** Whether the management cluster keeps statuses of this kind: a foreign CustomResourceDefinition may not. */
    boolean keepsStatus();

    /** The status as it is there now, an empty object when there is none; null when there is no such object. */
    @Nullable JsonNode stored(String namespace, String name);

    /** Takes in the answer to a write. */
    void written(byte[] answer);
}
