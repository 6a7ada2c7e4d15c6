package io.osmhub.demo.stage;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.store.WatchEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How long MachineDeployments waited for their secrets, as seen by the API servers themselves: from the moment at which a MachineDeployment could be
 * read until both secrets could. Nothing is asked of the hub. Safe for use by several threads.
 */
public final class Publications {
    private static final ResourceKey MACHINE_DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final ResourceKey SECRETS = new ResourceKey("", "secrets");

    /** Where and what. */
    public record Key(String cluster, MachineDeploymentName name) {}

    private record SecretKey(String cluster, String name) {}

    /** Nanoseconds of {@link System#nanoTime}; 0 while it has not happened. */
    private static final class Waiting {
        private final long created = System.nanoTime();
        private volatile long bootstrap;
        private volatile long provisioning;

        private @Nullable Duration latency() {
            return bootstrap == 0 || provisioning == 0
                    ? null
                    : Duration.ofNanos(Math.max(bootstrap - created, provisioning - created));
        }
    }

    private final Map<Key, Waiting> all = new ConcurrentHashMap<>();
    private final Map<SecretKey, Key> owners = new ConcurrentHashMap<>();
    private final AtomicLong published = new AtomicLong();

    /** Begins to look at a cluster; what was created earlier is not seen. */
    public void observe(SimulatedCluster cluster) {
        cluster.objects().observe(event -> see(cluster.name(), event));
    }

    /** How many MachineDeployments have had both secrets. */
    public long published() {
        return published.get();
    }

    /** How many MachineDeployments were created. */
    public long created() {
        return all.size();
    }

    /** How long it took; null while a secret is missing, or for one that was never seen. */
    public @Nullable Duration latency(Key key) {
        Waiting waiting = all.get(key);
        return waiting == null ? null : waiting.latency();
    }

    /** The latencies of the chosen ones, without those that still wait. */
    public Collection<Duration> latencies(Predicate<Key> chosen) {
        return all.entrySet().stream()
                .filter(each -> chosen.test(each.getKey()))
                .map(each -> each.getValue().latency())
                .filter(java.util.Objects::nonNull)
                .toList();
    }

    private void see(String cluster, WatchEvent event) {
        boolean gone = event.type() == WatchEvent.Type.DELETED;
        if (event.resource().equals(MACHINE_DEPLOYMENTS)) {
            MachineDeploymentName name =
                    new MachineDeploymentName(event.object().namespace(), event.object().name());
            Key key = new Key(cluster, name);
            if (gone) {
                forget(key);
            } else if (event.type() == WatchEvent.Type.ADDED) {
                all.put(key, new Waiting());
                owners.put(new SecretKey(cluster, name.bootstrapSecret()), key);
                owners.put(new SecretKey(cluster, name.provisioningSecret()), key);
            }
        } else if (!gone
                && event.resource().equals(SECRETS)
                && event.object().namespace().equals(MachineDeploymentName.SECRETS_NAMESPACE)) {
            arrived(cluster, event.object().name());
        }
    }

    // Under the lock of the cluster, so for one MachineDeployment never twice at a time.
    private void arrived(String cluster, String secret) {
        Key key = owners.get(new SecretKey(cluster, secret));
        Waiting waiting = key == null ? null : all.get(key);
        if (key == null || waiting == null || waiting.latency() != null) {
            return;
        }
        if (secret.equals(key.name().bootstrapSecret())) {
            waiting.bootstrap = waiting.bootstrap == 0 ? System.nanoTime() : waiting.bootstrap;
        } else {
            waiting.provisioning = waiting.provisioning == 0 ? System.nanoTime() : waiting.provisioning;
        }
        if (waiting.latency() != null) {
            published.incrementAndGet();
        }
    }

    private void forget(Key key) {
        Waiting waiting = all.remove(key);
        if (waiting != null && waiting.latency() != null) {
            published.decrementAndGet();
        }
        owners.remove(new SecretKey(key.cluster(), key.name().bootstrapSecret()));
        owners.remove(new SecretKey(key.cluster(), key.name().provisioningSecret()));
    }
}
