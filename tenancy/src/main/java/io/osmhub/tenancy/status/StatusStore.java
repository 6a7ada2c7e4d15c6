package io.osmhub.tenancy.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.workersync.apiserver.Resource;
import org.jspecify.annotations.Nullable;

/** A cache of the objects of one kind with their statuses. */
public interface StatusStore {
    Resource resource();

    /** Whether the management cluster stores statuses of this kind: another CustomResourceDefinition may not. */
    boolean hasStatusSubresource();

    /** The current status, an empty object if there is none; null if the object does not exist. */
    @Nullable JsonNode findStored(String namespace, String name);

    /** Caches the response to a write. */
    void onWritten(byte[] answer);
}
