package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.reconcile.SelfWriteFilter.ObservedVersion;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader.SettingsSecret;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the watch events of one tenant to the MachineDeployments that they concern, and requests their runs. Thread-safe. */
final class WatchEventHandler implements WorkerInformers.WorkerEventListener {
    /** machine-controller sets the revision of a changed template within this time, unless it is stopped or paused. */
    private static final Duration REVISION_DELAY = Duration.ofSeconds(2);

    private final RunScheduler runScheduler;
    private final TenantContext tenantContext;
    private final NameClaims nameClaims;
    private final SelfWriteFilter selfWriteFilter;
    private volatile @Nullable Instant lastEvent;

    WatchEventHandler(
            RunScheduler runScheduler,
            TenantContext tenantContext,
            NameClaims nameClaims,
            SelfWriteFilter selfWriteFilter) {
        this.runScheduler = runScheduler;
        this.tenantContext = tenantContext;
        this.nameClaims = nameClaims;
        this.selfWriteFilter = selfWriteFilter;
    }

    /** Time of the last event; null before the first. */
    @Nullable Instant lastEvent() {
        return lastEvent;
    }

    @Override
    public void onMachineDeploymentChanged(
            ObjectKey key,
            @Nullable WatchedMachineDeployment before,
            @Nullable WatchedMachineDeployment after,
            Origin origin) {
        lastEvent = tenantContext.scheduler().now();
        MachineDeployment old = before == null ? null : before.machineDeployment();
        MachineDeployment current = after == null ? null : after.machineDeployment();
        Set<ObjectKey> rivals = nameClaims.changed(key, old, current);
        if (!runScheduler.informers().isSynced()) {
            return;
        }
        rivals.forEach(rival -> runScheduler.requestRun(rival, Trigger.RESYNC));
        if (after == null || current == null) {
            runScheduler.requestRun(key, Trigger.RESYNC);
            runScheduler.scheduleSweep();
            return;
        }
        ObservedVersion observed = new ObservedVersion(Resource.MACHINE_DEPLOYMENTS, key, current.resourceVersion());
        if (origin == Origin.WRITTEN && (old == null || after.differsInFinalizersOnly(old))) {
            selfWriteFilter.recordSelfWrite(observed);
        } else if (old != null && isRevisionAwaited(old, after)) {
            // Waits for machine-controller's new revision, to publish both at once.
            runScheduler.requestRunAfter(key, Trigger.REVISION, REVISION_DELAY);
        } else if ((NameClaims.claims(current) || old != null && NameClaims.claims(old))
                && !selfWriteFilter.deferIfRunning(observed, key)) {
            runScheduler.requestRun(key, old == null || !NameClaims.claims(old) ? Trigger.CREATED : Trigger.REVISION);
        }
    }

    /** The template changed, and machine-controller has not set the revision yet. */
    private static boolean isRevisionAwaited(MachineDeployment old, WatchedMachineDeployment after) {
        MachineDeployment current = after.machineDeployment();
        return NameClaims.claims(current)
                && NameClaims.claims(old)
                && current.deletionTimestamp() == null
                && after.mistakes().isEmpty()
                && !current.revision().isEmpty()
                && current.revision().equals(old.revision())
                && !after.hasTemplateOf(old);
    }

    @Override
    public void onSecretChanged(
            ObjectKey key, @Nullable SettingsSecret before, @Nullable SettingsSecret after, Origin origin) {
        onObjectChanged(Resource.SECRETS, key, origin, nameClaims.claimants(NameClaims.secret(key.name())));
    }

    @Override
    public void onTokenChanged(
            ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after, Origin origin) {
        if (before != null) {
            onObjectChanged(Resource.SECRETS, key, origin, nameClaims.claimants(NameClaims.token(before.label())));
        }
        if (after != null && (before == null || !after.label().equals(before.label()))) {
            onObjectChanged(Resource.SECRETS, key, origin, nameClaims.claimants(NameClaims.token(after.label())));
        }
    }

    @Override
    public void onGrantChanged(
            GrantKind kind, @Nullable StoredGrant before, @Nullable StoredGrant after, Origin origin) {
        lastEvent = tenantContext.scheduler().now();
        StoredGrant grant = before == null ? after : before;
        if (grant == null
                || origin != Origin.WRITTEN && !runScheduler.informers().areGrantsKnown()) {
            return;
        }
        ObjectKey key = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, grant.name());
        ObjectKey owner = owner(grant);
        boolean isOwned =
                owner != null && runScheduler.informers().machineDeployments().get(owner) != null;
        onObjectChanged(WorkerInformers.resource(kind), key, origin, isOwned ? List.of(owner) : List.of());
    }

    /** Returns null if it has no mark. */
    private static @Nullable ObjectKey owner(StoredGrant grant) {
        String owner = grant.annotations().getOrDefault(OwnershipAnnotations.OWNER, "");
        int slash = owner.indexOf('/');
        return slash < 0 ? null : new ObjectKey(owner.substring(0, slash), owner.substring(slash + 1));
    }

    /** An object of the claimants was created, changed or deleted. */
    private void onObjectChanged(Resource resource, ObjectKey key, Origin origin, List<ObjectKey> claimants) {
        lastEvent = tenantContext.scheduler().now();
        ObservedVersion observed = new ObservedVersion(resource, key);
        if (origin == Origin.WRITTEN) {
            selfWriteFilter.recordSelfWrite(observed);
        } else if (runScheduler.informers().isSynced()) {
            claimants.stream()
                    .filter(claimant -> !selfWriteFilter.deferIfRunning(observed, claimant))
                    .forEach(claimant -> runScheduler.requestRun(claimant, Trigger.DRIFT));
            if (claimants.isEmpty()) {
                runScheduler.scheduleSweep();
            }
        }
    }

    @Override
    public void onNodeAccessChanged() {
        if (runScheduler.informers().isSynced()) {
            runScheduler.requestAllRuns(Trigger.ENDPOINT);
        }
    }

    @Override
    public void onSynced() {
        runScheduler.begin();
        tenantContext.tenantPorts().syncListener().onStatusChanged();
    }

    @Override
    public void onFailureChanged(Resource resource, @Nullable ApiFailure failure) {
        if (failure != null) {
            tenantContext.tenantPorts().syncListener().onRequestFailed(failure);
        } else if (runScheduler.informers().latestFailures().isEmpty()) {
            tenantContext.tenantPorts().syncListener().onRecovered();
        }
        tenantContext.tenantPorts().syncListener().onStatusChanged();
    }

    @Override
    public void onRestarted(Resource resource, ListWatchListener.RestartReason reason) {
        tenantContext.runDependencies().observer().onWatchRestarted(resource.plural(), reason.wireName());
    }
}
