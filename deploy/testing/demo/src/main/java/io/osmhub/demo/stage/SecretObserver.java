package io.osmhub.demo.stage;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.Store.StoreEvent;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** Observes the hub's work from outside: the secrets in a worker cluster. Thread-safe. */
public final class SecretObserver {
    private static final ResourceKey MACHINE_DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final ResourceKey SECRETS = new ResourceKey("", "secrets");
    private static final String BOOTSTRAP = "-bootstrap-config";
    private static final String PROVISIONING = "-provisioning-config";

    private final Set<String> machineDeployments = new ConcurrentSkipListSet<>();
    private final Set<String> secrets = new ConcurrentSkipListSet<>();
    private volatile String lastChange = "";

    /** Starts observing a cluster. */
    public static SecretObserver of(SimulatedCluster cluster) {
        SecretObserver sightings = new SecretObserver();
        cluster.objects().observe(sightings::see);
        return sightings;
    }

    /** Namespaces and names of the MachineDeployments. */
    public Set<String> machineDeployments() {
        return new TreeSet<>(machineDeployments);
    }

    /** Number of configuration secrets. */
    public int secrets() {
        return secrets.size();
    }

    /** The last change in a few words; empty if none. */
    public String lastChange() {
        return lastChange;
    }

    // A cluster delivers its events sequentially.
    private void see(StoreEvent event) {
        String name = event.object().name();
        if (event.resource().equals(MACHINE_DEPLOYMENTS)) {
            String whole = event.object().namespace() + "/" + name;
            switch (event.type()) {
                case ADDED -> {
                    machineDeployments.add(whole);
                    lastChange = name + " created";
                }
                case MODIFIED -> {}
                case DELETED -> {
                    machineDeployments.remove(whole);
                    lastChange = name + " deleted";
                }
            }
        } else if (event.resource().equals(SECRETS)
                && event.object().namespace().equals(MachineDeploymentName.SECRETS_NAMESPACE)
                && (name.endsWith(BOOTSTRAP) || name.endsWith(PROVISIONING))) {
            seeSecret(event.type(), name);
        }
    }

    private void seeSecret(StoreEvent.Type type, String name) {
        switch (type) {
            case ADDED -> {
                secrets.add(name);
                lastChange = name + " published";
            }
            case MODIFIED -> lastChange = name + " updated";
            case DELETED -> {
                secrets.remove(name);
                lastChange = name + " deleted";
            }
        }
    }
}
