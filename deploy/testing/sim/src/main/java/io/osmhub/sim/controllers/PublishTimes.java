package io.osmhub.sim.controllers;

import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Measures in one cluster the time from each MachineDeployment's creation until both of its secrets exist. */
public final class PublishTimes {
    private static final ResourceKey DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final String NAMESPACE = "cloud-init-settings";
    private static final String BOOTSTRAP = "-bootstrap-config";
    private static final String PROVISIONING = "-provisioning-config";

    private static final class Times {
        private final long created;
        private volatile long bootstrap;
        private volatile long provisioning;

        Times(long created) {
            this.created = created;
        }
    }

    private final Map<String, Times> byKey = new ConcurrentHashMap<>();

    /** Starts measuring; existing MachineDeployments do not count. */
    public static PublishTimes start(ObjectOperations objects) {
        PublishTimes times = new PublishTimes();
        objects.store().observe(times::see);
        return times;
    }

    /** Milliseconds from each MachineDeployment's creation to both its secrets, for those that have them. */
    public List<Double> millis() {
        List<Double> all = new ArrayList<>();
        byKey.values().forEach(times -> {
            if (times.bootstrap != 0 && times.provisioning != 0) {
                all.add((Math.max(times.bootstrap, times.provisioning) - times.created) / 1e6);
            }
        });
        return all;
    }

    /** Number of MachineDeployments without one of their secrets. */
    public long pending() {
        return byKey.values().stream()
                .filter(times -> times.bootstrap == 0 || times.provisioning == 0)
                .count();
    }

    /** Discards all measurements. */
    public void reset() {
        byKey.clear();
    }

    private void see(StoreEvent event) {
        StoredObject object = event.object();
        if (event.resource().equals(DEPLOYMENTS)) {
            String key = object.name() + "-" + object.namespace();
            switch (event.type()) {
                case ADDED -> byKey.put(key, new Times(System.nanoTime()));
                case DELETED -> byKey.remove(key);
                case MODIFIED -> {}
            }
        } else if (event.type() == StoreEvent.Type.ADDED
                && event.resource().equals(ResourceCatalog.SECRETS)
                && object.namespace().equals(NAMESPACE)) {
            if (object.name().endsWith(BOOTSTRAP)) {
                mark(object.name(), BOOTSTRAP);
            } else if (object.name().endsWith(PROVISIONING)) {
                mark(object.name(), PROVISIONING);
            }
        }
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
