package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores the state of each MachineDeployment after its last run, and the status of its OperatingSystemConfig. Thread-safe. */
final class MachineDeploymentStates implements RunListener {
    private final ConfigStore configStore;
    private final Scheduler scheduler;
    private final Map<ObjectKey, MachineDeploymentState> states = new ConcurrentHashMap<>();
    private volatile ConnectionHealth connectionHealth = ConnectionHealth.NORMAL;

    MachineDeploymentStates(ConfigStore configStore, Scheduler scheduler) {
        this.configStore = configStore;
        this.scheduler = scheduler;
    }

    @Nullable MachineDeploymentState find(ObjectKey key) {
        return states.get(key);
    }

    /** By namespace and name. */
    List<MachineDeploymentState> all() {
        return states.values().stream()
                .sorted(Comparator.comparing(MachineDeploymentState::key, ObjectKey.ORDER))
                .toList();
    }

    Set<ObjectKey> keys() {
        return states.keySet();
    }

    /** State of the connection, which all MachineDeployments share. */
    ConnectionHealth connectionHealth() {
        return connectionHealth;
    }

    boolean isConnectionHealthy() {
        return connectionHealth.connected() && connectionHealth.credentialsValid();
    }

    /** Returns false if nothing changed. */
    synchronized boolean updateConnectionHealth(UnaryOperator<ConnectionHealth> update) {
        ConnectionHealth previous = connectionHealth;
        connectionHealth = update.apply(previous);
        boolean isChanged = !connectionHealth.equals(previous);
        if (isChanged && !isConnectionHealthy()) {
            // Otherwise, the first runs report it.
            putAtRisk();
        }
        return isChanged;
    }

    private void putAtRisk() {
        for (MachineDeploymentState state : List.copyOf(states.values())) {
            if (state.newNodes() == NewNodes.CURRENT) {
                states.replace(
                        state.key(),
                        state,
                        state.with(state.report().with(NewNodes.AT_RISK, state.problems()), state.since()));
                ObjectNames names =
                        new ObjectNames(state.key().namespace(), state.key().name());
                StoredConfig config = configStore.find(names.operatingSystemConfig());
                if (config != null && config.status() != null) {
                    configStore.enqueueStatus(config.name(), atRisk(config.status()));
                }
            }
        }
    }

    private static OperatingSystemConfigStatus atRisk(OperatingSystemConfigStatus status) {
        return new OperatingSystemConfigStatus(
                status.observedGeneration(),
                status.conditions(),
                NewNodes.AT_RISK,
                status.source(),
                status.wanted(),
                status.publishedHash(),
                status.secrets(),
                status.history(),
                status.problems());
    }

    @Override
    public void onRunEnded(RunReport report) {
        ObjectKey key = report.request().key();
        switch (report.outcome()) {
            case RunOutcome.NotFound() -> states.remove(key);
            case RunOutcome.ReadFailed _ -> {
                // The state is unknown.
            }
            case RunOutcome.Crashed _ -> {
                MachineDeploymentState previous = report.previous();
                if (previous != null) {
                    Problem problem = Reason.InternalError.with(
                            "tenant", report.request().inputs().namespace(),
                            "kind", MachineDeployment.KIND,
                            "name", key.toString(),
                            "id", report.request().id());
                    store(previous.with(
                            previous.report().with(previous.newNodes(), List.of(problem)), previous.since()));
                }
            }
            case RunOutcome.Decided decided -> {
                OperatingSystemConfigStatus status = decided.report().status();
                StoredConfig config = decided.config();
                if (status != null && config != null && !status.equals(config.status())) {
                    configStore.enqueueStatus(config.name(), status);
                }
                store(MachineDeploymentState.of(decided, scheduler.now()));
            }
        }
    }

    /** Consecutive problems count as one period. */
    private void store(MachineDeploymentState state) {
        states.merge(state.key(), state, (before, now) -> {
            boolean lasting = !before.problems().isEmpty() && !now.problems().isEmpty();
            return lasting ? now.with(now.report(), before.since()) : now;
        });
    }
}
