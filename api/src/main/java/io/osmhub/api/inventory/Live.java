package io.osmhub.api.inventory;

import io.osmhub.core.plan.Decision;
import io.osmhub.tenancy.TenantView;
import io.osmhub.workersync.reconcile.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this replica knows of its own tenants beside what is stored. Asked for at most once a second for each. */
final class Live {
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final Replica replica;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** A tenant as it was a moment ago; {@code view} is null when another replica serves it. */
    private record Known(@Nullable TenantView view, Map<DeploymentRow.Key, State> states, long at) {}

    Live(Replica replica) {
        this.replica = replica;
    }

    /** Null when another replica serves it. */
    @Nullable TenantView tenant(String namespace, String workerCluster) {
        return known(namespace, workerCluster).view();
    }

    /** Null when another replica serves it, or when it was not looked at yet. */
    @Nullable State deployment(DeploymentRow row) {
        return known(row.place().namespace(), row.place().workerCluster())
                .states()
                .get(row.key());
    }

    /** All MachineDeployments of a tenant of this replica; none of another's. */
    Map<DeploymentRow.Key, State> deployments(String namespace, String workerCluster) {
        return known(namespace, workerCluster).states();
    }

    @Nullable Instant tokenEnd(DeploymentRow row) {
        State state = deployment(row);
        Decision.Token token = state == null ? null : state.token();
        return token == null ? null : token.expiration();
    }

    /** As a number that sorts; null when it is not known. */
    @Nullable Long kubeletVersion(DeploymentRow row) {
        State state = deployment(row);
        return state == null ? null : Stored.version(state.kubeletVersion());
    }

    @Nullable Instant firstTokenEnd(TenantRow row) {
        TenantView view = tenant(row.namespace(), row.name());
        return view == null || view.sync() == null ? null : view.sync().firstTokenEnd();
    }

    private Known known(String namespace, String workerCluster) {
        String key = namespace + "/" + workerCluster;
        Known before = known.get(key);
        long now = replica.nanoTime();
        if (before != null && now - before.at() < FRESH_NANOS) {
            return before;
        }
        TenantView view = replica.tenants().tenant(namespace, workerCluster).orElse(null);
        Map<DeploymentRow.Key, State> states = new HashMap<>();
        if (view != null && view.sync() != null) {
            for (State state : view.sync().machineDeployments()) {
                states.put(
                        new DeploymentRow.Key(
                                namespace, state.key().namespace(), state.key().name()),
                        state);
            }
        }
        Known after = new Known(view, states, now);
        known.put(key, after);
        return after;
    }

    /** Forgets a tenant that is gone. */
    void forget(String namespace, String workerCluster) {
        known.remove(namespace + "/" + workerCluster);
    }
}
