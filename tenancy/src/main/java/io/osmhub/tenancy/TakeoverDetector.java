package io.osmhub.tenancy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Detects when this replica takes a namespace with a tenant from another. Thread-safe. */
final class TakeoverDetector {
    private final HubObserver observer;
    /** Namespaces with a tenant that another replica served at the last reconcile. */
    private final Set<String> elsewhere = ConcurrentHashMap.newKeySet();

    TakeoverDetector(HubObserver observer) {
        this.observer = observer;
    }

    /** @param own whether this replica serves the namespace */
    void recordReconcile(String namespace, boolean own, boolean hasTenant) {
        if (!own && hasTenant) {
            elsewhere.add(namespace);
        } else if (elsewhere.remove(namespace) && own && hasTenant) {
            observer.onTakeover();
        }
    }
}
