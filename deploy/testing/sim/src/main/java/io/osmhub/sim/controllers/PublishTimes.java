package io.osmhub.sim.controllers;

import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures in one cluster the time from each MachineDeployment's creation until both of its secrets exist, by the events that it
 * is notified of. Thread-safe.
 */
public final class PublishTimes {
    private static final ResourceKey DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final String NAMESPACE = "cloud-init-settings";
    private static final String BOOTSTRAP = "-bootstrap-config";
    private static final String PROVISIONING = "-provisioning-config";

    /** Of one MachineDeployment, as of {@link System#nanoTime}; 0 until the event. */
    private static final class Times {
        private volatile long created;
        private volatile long bootstrap;
        private volatile long provisioning;

        boolean isComplete() {
            return created != 0 && bootstrap != 0 && provisioning != 0;
        }

        double millis() {
            // Watches of different kinds are not ordered.
            return Math.max(0, Math.max(bootstrap, provisioning) - created) / 1e6;
        }
    }

    private final Map<String, Times> byKey = new ConcurrentHashMap<>();

    /** Starts measuring in a simulated cluster; existing MachineDeployments do not count. */
    public static PublishTimes start(ObjectOperations objects) {
        PublishTimes times = new PublishTimes();
        objects.store().observe(times::see);
        return times;
    }

    /** Milliseconds from each MachineDeployment's creation to both its secrets, for those that have them. */
    public List<Double> millis() {
        return byKey.values().stream()
                .filter(Times::isComplete)
                .map(Times::millis)
                .toList();
    }

    /** Number of MachineDeployments without one of their secrets. */
    public long pending() {
        return byKey.values().stream().filter(times -> !times.isComplete()).count();
    }

    /** Discards all measurements. */
    public void reset() {
        byKey.clear();
    }

    /** Counts a MachineDeployment as pending before the event of its creation, which a watch may deliver after those of its secrets. */
    public void expect(String namespace, String name) {
        byKey.put(key(namespace, name), new Times());
    }

    public void onMachineDeploymentCreated(String namespace, String name) {
        byKey.computeIfAbsent(key(namespace, name), _ -> new Times()).created = System.nanoTime();
    }

    /** Ignores secrets of MachineDeployments that are not measured, and others. */
    public void onSecretCreated(String name) {
        if (name.endsWith(BOOTSTRAP)) {
            mark(name, BOOTSTRAP);
        } else if (name.endsWith(PROVISIONING)) {
            mark(name, PROVISIONING);
        }
    }

    private void see(StoreEvent event) {
        StoredObject object = event.object();
        if (event.resource().equals(DEPLOYMENTS)) {
            switch (event.type()) {
                case ADDED -> onMachineDeploymentCreated(object.namespace(), object.name());
                case DELETED -> byKey.remove(key(object.namespace(), object.name()));
                case MODIFIED -> {}
            }
        } else if (event.type() == StoreEvent.Type.ADDED
                && event.resource().equals(ResourceCatalog.SECRETS)
                && object.namespace().equals(NAMESPACE)) {
            onSecretCreated(object.name());
        }
    }

    private static String key(String namespace, String name) {
        return name + "-" + namespace;
    }

    private void mark(String name, String suffix) {
        Times times = byKey.get(name.substring(0, name.length() - suffix.length()));
        if (times != null && suffix.equals(BOOTSTRAP)) {
            times.bootstrap = System.nanoTime();
        } else if (times != null) {
            times.provisioning = System.nanoTime();
        }
    }
}
