package io.osmhub.workersync.write;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.plan.Marks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that were asked for and are not published yet, by MachineDeployment: almost always none. A hub that ends loses them, and the
 * next one asks for others. Safe for use by many threads.
 */
public final class FreshTokens {
    private final Map<String, FetchToken> byOwner = new ConcurrentHashMap<>(2);

    void put(String owner, FetchToken token) {
        byOwner.put(owner, token);
    }

    /**
     * The latest that is not published; null without one.
     *
     * @param owner {@link Marks#OWNER} of the MachineDeployment
     * @param published the one in its bootstrap secret
     */
    public @Nullable FetchToken get(String owner, @Nullable FetchToken published) {
        FetchToken fresh = byOwner.get(owner);
        if (fresh != null && published != null && fresh.text().equals(published.text())) {
            byOwner.remove(owner, fresh);
            return null;
        }
        return fresh;
    }

    /** The MachineDeployment is gone. */
    public void forget(String owner) {
        byOwner.remove(owner);
    }
}
