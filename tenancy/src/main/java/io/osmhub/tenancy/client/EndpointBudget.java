package io.osmhub.tenancy.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Limits how many different endpoints are connected to for one tenant, so that a tenant cannot find open ports by registering or
 * testing one address after another. Connecting again to the same ones is not limited here. Thread-safe.
 */
public final class EndpointBudget {
    /** Different endpoints of one tenant within {@link #WINDOW}. */
    public static final int LIMIT = 10;

    static final Duration WINDOW = Duration.ofMinutes(1);

    private record Use(String tenant, String endpoint) {}

    /** When each was used first, the oldest one first. */
    private final SequencedMap<Use, Long> recent = new LinkedHashMap<>();

    private final Map<String, Integer> byTenant = new HashMap<>();

    /**
     * Takes an endpoint into account.
     *
     * @return whether it may be connected to
     */
    public synchronized boolean tryUse(String tenant, String endpoint, long nanoTime) {
        while (!recent.isEmpty() && nanoTime - recent.firstEntry().getValue() >= WINDOW.toNanos()) {
            Use over = recent.pollFirstEntry().getKey();
            byTenant.computeIfPresent(over.tenant(), (name, uses) -> uses == 1 ? null : uses - 1);
        }
        Use use = new Use(tenant, endpoint);
        if (recent.containsKey(use)) {
            return true;
        }
        if (byTenant.getOrDefault(tenant, 0) >= LIMIT) {
            return false;
        }
        recent.put(use, nanoTime);
        byTenant.merge(tenant, 1, Integer::sum);
        return true;
    }

    /** Tenants that are held in memory. */
    synchronized int tenants() {
        return byTenant.size();
    }
}
