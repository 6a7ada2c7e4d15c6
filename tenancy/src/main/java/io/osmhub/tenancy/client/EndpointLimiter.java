package io.osmhub.tenancy.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Limits how many different endpoints are contacted for one tenant, so that a tenant cannot scan ports by registering or testing
 * addresses. Reconnecting to the same ones is not limited. Thread-safe.
 */
public final class EndpointLimiter {
    /** Different endpoints of one tenant within {@link #WINDOW}. */
    public static final int LIMIT = 10;

    static final Duration WINDOW = Duration.ofMinutes(1);

    private record EndpointUse(String tenant, String endpoint) {}

    /** By time of first use, oldest first. */
    private final SequencedMap<EndpointUse, Long> recent = new LinkedHashMap<>();

    private final Map<String, Integer> byTenant = new HashMap<>();

    /**
     * Records an endpoint.
     *
     * @return whether it may be contacted
     */
    public synchronized boolean tryUse(String tenant, String endpoint, long nanoTime) {
        while (!recent.isEmpty() && nanoTime - recent.firstEntry().getValue() >= WINDOW.toNanos()) {
            EndpointUse over = recent.pollFirstEntry().getKey();
            byTenant.computeIfPresent(over.tenant(), (name, uses) -> uses == 1 ? null : uses - 1);
        }
        EndpointUse use = new EndpointUse(tenant, endpoint);
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

    /** Number of tenants in memory. */
    synchronized int tenants() {
        return byTenant.size();
    }
}
