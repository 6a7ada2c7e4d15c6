package io.osmhub.workersync.write;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.plan.OwnershipAnnotations;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Requested but unpublished tokens, by MachineDeployment: usually none. They are lost when the hub stops; the next one requests
 * others. Thread-safe.
 */
public final class UnpublishedTokens {
    private final Map<String, FetchToken> tokensByOwner = new ConcurrentHashMap<>(2);

    void put(String owner, FetchToken token) {
        tokensByOwner.put(owner, token);
    }

    /**
     * The latest unpublished token; null if there is none.
     *
     * @param owner {@link OwnershipAnnotations#OWNER} of the MachineDeployment
     * @param published the one in its bootstrap secret
     */
    public @Nullable FetchToken get(String owner, @Nullable FetchToken published) {
        FetchToken token = tokensByOwner.get(owner);
        if (token != null && published != null && token.text().equals(published.text())) {
            tokensByOwner.remove(owner, token);
            return null;
        }
        return token;
    }

    /** The MachineDeployment was deleted. */
    public void remove(String owner) {
        tokensByOwner.remove(owner);
    }
}
