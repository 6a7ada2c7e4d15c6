package io.osmhub.tenancy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Notices when a namespace with a tenant becomes this replica's. Safe for use by many threads. */
final class Handovers {
    private final HubObserver observer;
    /** Those with a tenant that were not this replica's when they were looked at last. */
    private final Set<String> elsewhere = ConcurrentHashMap.newKeySet();

    Handovers(HubObserver observer) {
        this.observer = observer;
    }

    /** Whether the namespace is this replica's now, and whether it has a tenant. */
    void looked(String namespace, boolean own, boolean hasTenant) {
        if (!own && hasTenant) {
            elsewhere.add(namespace);
        } else if (elsewhere.remove(namespace) && own && hasTenant) {
            observer.tookOver();
        }
    }
}
