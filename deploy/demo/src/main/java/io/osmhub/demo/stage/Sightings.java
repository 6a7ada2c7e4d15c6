package io.osmhub.demo.stage;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.store.WatchEvent;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** What somebody who only looks at a worker cluster sees of the hub's work: its secrets come, change and go. Safe for use by several threads. */
public final class Sightings {
    private static final ResourceKey MACHINE_DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final ResourceKey SECRETS = new ResourceKey("", "secrets");
    private static final String BOOTSTRAP = "-bootstrap-config";
    private static final String PROVISIONING = "-provisioning-config";

    private final Set<String> machineDeployments = new ConcurrentSkipListSet<>();
    private final Set<String> secrets = new ConcurrentSkipListSet<>();
    private volatile String lastChange = "";

    /** Begins to look at a cluster. */
    public static Sightings of(SimulatedCluster cluster) {
        Sightings sightings = new Sightings();
        cluster.objects().observe(sightings::see);
        return sightings;
    }

    /** Namespaces and names of the MachineDeployments. */
    public Set<String> machineDeployments() {
        return new TreeSet<>(machineDeployments);
    }

    /** How many configuration secrets there are. */
    public int secrets() {
        return secrets.size();
    }

    /** What happened last, in a few words; empty when nothing has. */
    public String lastChange() {
        return lastChange;
    }

    // One cluster tells its changes one after another.
    private void see(WatchEvent event) {
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

    private void seeSecret(WatchEvent.Type type, String name) {
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
