package io.osmhub.demo.stage;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.Store.StoreEvent;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Observes the hub's work from outside: the secrets in a worker cluster. Thread-safe. */
public final class SecretObserver {
    private static final ResourceKey MACHINE_DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final ResourceKey SECRETS = new ResourceKey("", "secrets");
    private static final Pattern CONFIGURATION =
            Pattern.compile("(?:kube-system-)?(.+?)(?:-kube-system)?(?:-kubelet)?-(?:bootstrap|provisioning)-config");

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

    /** The last change in two words, such as {@code published workers-a}; empty if none. */
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
                    lastChange = "created " + name;
                }
                case MODIFIED -> {}
                case DELETED -> {
                    machineDeployments.remove(whole);
                    lastChange = "deleted " + name;
                }
            }
        } else if (event.resource().equals(SECRETS)
                && event.object().namespace().equals(MachineDeploymentName.SECRETS_NAMESPACE)) {
            seeSecret(event.type(), name);
        }
    }

    private void seeSecret(StoreEvent.Type type, String name) {
        Matcher configuration = CONFIGURATION.matcher(name);
        if (!configuration.matches()) {
            return;
        }
        String machineDeployment = configuration.group(1);
        switch (type) {
            case ADDED -> {
                secrets.add(name);
                lastChange = "published " + machineDeployment;
            }
            case MODIFIED -> lastChange = "updated " + machineDeployment;
            case DELETED -> {
                secrets.remove(name);
                lastChange = "deleted " + machineDeployment;
            }
        }
    }
}
