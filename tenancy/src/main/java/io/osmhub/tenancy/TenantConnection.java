package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.OsmContent;
import io.osmhub.tenancy.TenantSnapshot.ConnectionState;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.connection.StaticConnection;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.credential.ScopedCredentialRenewer;
import io.osmhub.tenancy.lease.AdoptedLease;
import io.osmhub.tenancy.management.Leases;
import io.osmhub.tenancy.registry.ClusterClaims;
import io.osmhub.tenancy.registry.ClusterClaims.ClusterIdentity;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.KkpTenant;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantInputs.AllowedWrites;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One tenant's connection to its worker cluster, and what it may be used for: the kubeconfig of the Secret or the operator's access, the
 * renewal of its credential, OSM's Lease, and whether the worker cluster is this tenant's. Changes must be serialized; the rest is
 * thread-safe.
 */
final class TenantConnection implements SyncListener {
    private static final Duration PERMISSION_REVIEW_INTERVAL = Duration.ofMinutes(5);

    private final HubContext hub;
    private final ClusterClaims claims;
    private final TenantStatusReporter reporter;
    private final Consumer<String> reconcileNamespace;
    private final Runnable changed;
    private final Runnable statusChanged;
    /** Null for a tenant with a kubeconfig Secret. */
    private final @Nullable OperatorWorkerCluster operatorWorkerCluster;

    private final TenantKubeconfig kubeconfig;
    private final ScopedCredentialRenewer credentialRenewer;
    private final AdoptedLease adoptedLease;

    private volatile WorkerClusterRecord record;
    private volatile @Nullable WorkerConnection operatorConnection;
    private ClusterIdentity identity = ClusterIdentity.UNKNOWN;
    private boolean secretGone;
    private volatile @Nullable Problem accessProblem;
    private volatile boolean permissionReviewScheduled;
    private String handledRequest;
    private String acceptedCluster;

    /**
     * @param reconcileNamespace requests reconciling a namespace; must not block
     * @param statusChanged requests another status only; must not block
     */
    TenantConnection(
            WorkerClusterRecord record,
            HubContext hub,
            ClusterClaims claims,
            TenantStatusReporter reporter,
            Consumer<String> reconcileNamespace,
            Runnable statusChanged) {
        String namespace = record.namespace();
        this.record = record;
        this.hub = hub;
        this.claims = claims;
        this.reporter = reporter;
        this.reconcileNamespace = reconcileNamespace;
        this.changed = () -> reconcileNamespace.accept(namespace);
        this.statusChanged = statusChanged;
        this.operatorWorkerCluster = record.secretName().isEmpty() ? hub.operatorWorkerCluster() : null;
        this.kubeconfig = new TenantKubeconfig(hub.dependencies().connections(), changed);
        this.credentialRenewer = new ScopedCredentialRenewer(
                hub.managementFor(namespace),
                hub.dependencies().fence(),
                hub::egress,
                reporter::recordEvent,
                changed,
                hub.environment());
        this.adoptedLease = new AdoptedLease(
                () -> hub.dependencies().fence().inFlight().await(namespace::equals),
                () -> Leases.osmHolder(hub.identity().id(), hub.environment().replica()),
                changed,
                hub.runtimeContext());
        this.handledRequest = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        this.acceptedCluster = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
    }

    /** The WorkerCluster as last applied. */
    WorkerClusterRecord record() {
        return record;
    }

    void setRecord(WorkerClusterRecord now) {
        record = now;
    }

    /** Whether the operator configures the worker cluster instead of a kubeconfig Secret. */
    boolean isOfOperator() {
        return operatorWorkerCluster != null;
    }

    /** Whether OSM's flags configure the tenant instead of a WorkerCluster. */
    boolean isOfFlags() {
        return operatorWorkerCluster != null && operatorWorkerCluster.fixedRecord() != null;
    }

    /** Null outside of KKP. */
    @Nullable KkpTenant kkp() {
        return hub.stores().kkp().tenant(record.namespace());
    }

    /** This hub, with those that the WorkerCluster is taken over from. */
    HubIdentity hubIdentity() {
        WorkerClusterSpec spec = record.spec();
        HubIdentity own = hub.identity();
        return spec == null || spec.formerHubIDs() == null ? own : own.withFormer(spec.formerHubIDs());
    }

    // Credentials

    /**
     * Applies the Secret; continues with what was read before if it is not accessible.
     *
     * @param secret null if there is none
     * @param denied why it is not accessible; null if it is
     */
    void update(@Nullable KubeconfigSecret secret, @Nullable Problem denied, ConnectionOptions options) {
        accessProblem = denied;
        if (denied == null) {
            updateKubeconfig(secret, options);
        }
    }

    /** Applies the current Secret; null if there is none. */
    void updateKubeconfig(@Nullable KubeconfigSecret secret, ConnectionOptions options) {
        if (operatorWorkerCluster != null) {
            if (operatorConnection == null) {
                operatorConnection = new StaticConnection(
                        record.namespace(),
                        record.name(),
                        operatorWorkerCluster.worker(),
                        hub.runtimeContext().scheduler()::now,
                        changed);
            }
            return;
        }
        WorkerClusterSpec spec = record.spec();
        if (spec != null && spec.kubeconfigSecretRef() != null) {
            kubeconfig.update(
                    record,
                    spec.kubeconfigSecretRef(),
                    secret,
                    hub.kubeconfigRules(record.namespace()),
                    hub.egress(record.namespace()),
                    options);
        }
        secretGone = secret == null;
        credentialRenewer.look(record, secret, kubeconfig.newestKubeconfig(), kubeconfig.connection());
    }

    private @Nullable WorkerConnection connection() {
        return operatorWorkerCluster == null ? kubeconfig.connection() : operatorConnection;
    }

    private void withConnection(Consumer<WorkerConnection> task) {
        WorkerConnection current = connection();
        if (current != null) {
            task.accept(current);
        }
    }

    /** Null while there is no usable kubeconfig. */
    @Nullable ConnectionStatus status() {
        WorkerConnection connection = connection();
        return connection == null ? null : credentialRenewer.withRenewalProblem(connection.status());
    }

    /** Its state, to be reported. */
    ConnectionState state() {
        return new ConnectionState(
                status(),
                accessProblem != null ? accessProblem : kubeconfig.problem(),
                identity.other(),
                handledRequest);
    }

    // Identity

    /** Whether the worker cluster may be served for this tenant, as of the last {@link #identify} or {@link #holdOsmsLease}. */
    ClusterIdentity identity() {
        return identity;
    }

    /** Decides it. A connection configured by the operator needs no check. */
    ClusterIdentity identify(@Nullable ConnectionStatus status) {
        identity = status == null || operatorWorkerCluster != null
                ? ClusterIdentity.UNKNOWN
                : ClusterIdentity.of(record, status, claims, reconcileNamespace);
        return identity;
    }

    /**
     * As {@link #identify}. Also notifies the tenant that is served with the same cluster, even on another replica: one of the two API
     * servers may be lying.
     */
    void identifyAndReport(@Nullable ConnectionStatus status) {
        boolean wasDuplicate = identity.isDuplicate();
        if (identify(status).isDuplicate() && !wasDuplicate && status != null) {
            String clusterId = status.facts().clusterId();
            for (WorkerClusterRecord holder : claims.holders(clusterId)) {
                if (!holder.uid().equals(record.uid())) {
                    reporter.recordEvent(holder, ClusterIdentity.contested(holder, clusterId));
                }
            }
        }
    }

    /** Until another process releases the Lease of an adopted worker cluster, the cluster is treated as served by OSM. */
    void holdOsmsLease(@Nullable ConnectionStatus status) {
        String lease = record.annotation(WorkerClusterRecord.ADOPTED_LEASE);
        boolean wanted = identity.isServed() && !allowsNoWrites();
        adoptedLease.keep(lease, status == null || !wanted ? null : status.api());
        String failure = adoptedLease.failure().isEmpty() ? "" : "unknown: " + adoptedLease.failure();
        String holder = adoptedLease.otherHolder().isEmpty() ? failure : adoptedLease.otherHolder();
        if (wanted && !mayWrite() && !holder.isEmpty()) {
            identity = new ClusterIdentity(
                    Reason.PeerControllerActive.with(
                            record.variables(), "lease", "kube-system/" + lease, "holder", holder),
                    null);
        }
    }

    /** UID of the worker cluster's {@code kube-system}; empty if it was never reached. */
    String clusterId() {
        WorkerConnection connection = connection();
        String seen = connection == null ? "" : connection.status().facts().clusterId();
        return seen.isEmpty() ? record.clusterId() : seen;
    }

    // Use

    /** The worker cluster if it is served for this tenant; otherwise null. */
    @Nullable KubeApi servedApi(@Nullable ConnectionStatus status) {
        return status == null || !identity.isServed() ? null : status.api();
    }

    /** As {@link #servedApi}, for the sync: the writes of an adopted worker cluster need its Lease, its reads do not. */
    @Nullable KubeApi syncApi(@Nullable ConnectionStatus status) {
        return mayWrite() || allowsNoWrites() ? servedApi(status) : null;
    }

    /** Whether the worker cluster was not adopted from OSM, or the hub holds OSM's Lease there. */
    private boolean mayWrite() {
        return record.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty() || adoptedLease.isHeld();
    }

    /** Rejects writes while the hub may not write to the worker cluster. */
    KubeApi fence(KubeApi api) {
        return hub.dependencies().fence().onlyWhile(this::mayWrite).ofTenant(api, record.namespace());
    }

    AllowedWrites allowedWrites() {
        WorkerClusterSpec spec = record.spec();
        KkpTenant cluster = kkp();
        if (spec != null && spec.paused() || secretGone || cluster != null && cluster.isPaused()) {
            return AllowedWrites.NONE;
        }
        if (cluster != null && cluster.isBeingDeleted()) {
            return AllowedWrites.REMOVALS;
        }
        // Who runs the hub in OSM's place, migrates or stops OSM in KKP's Cluster has consented.
        boolean consented = isOfFlags()
                || !record.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty()
                || spec != null && spec.osmContent() == OsmContent.REPLACE;
        return consented ? AllowedWrites.ALL : AllowedWrites.ALL_BUT_OSM_CONTENT;
    }

    /** Unlike with {@link AllowedWrites#isPaused}, removals are not allowed either. */
    boolean allowsNoWrites() {
        return allowedWrites() == AllowedWrites.NONE;
    }

    // Requests

    /**
     * Applies the annotations that request to accept another cluster or to reconnect.
     *
     * @return whether a resync is requested
     */
    boolean applyRequests() {
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        if (!accepted.isEmpty() && !accepted.equals(acceptedCluster) && connection() != null) {
            acceptedCluster = accepted;
            withConnection(connection -> connection.acceptClusterId(accepted));
        }
        String request = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        if (request.equals(handledRequest)) {
            return false;
        }
        handledRequest = request;
        withConnection(connection -> {
            connection.reconnect();
            connection.reviewPermissions();
        });
        return true;
    }

    /** If the settings need an optional permission that is missing, reviews it again like the required ones. */
    void reviewPermissions(ConnectionStatus status, TenantInputs inputs) {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() == NodeFetch.SCOPED_TOKEN;
        if (wanted && status.api() != null && !status.facts().scopedFetch() && !permissionReviewScheduled) {
            permissionReviewScheduled = true;
            hub.runtimeContext().scheduler().schedule(PERMISSION_REVIEW_INTERVAL, () -> {
                permissionReviewScheduled = false;
                withConnection(WorkerConnection::reviewPermissions);
                changed.run();
            });
        }
    }

    // The sync

    @Override
    public void onStatusChanged() {
        statusChanged.run();
    }

    @Override
    public void onRequestFailed(ApiFailure failure) {
        withConnection(connection -> connection.onRequestFailed(failure));
    }

    @Override
    public void onRecovered() {
        withConnection(WorkerConnection::onRecovered);
    }

    /** Releases everything; must not block. */
    void close() {
        adoptedLease.release();
        credentialRenewer.stop();
        withConnection(WorkerConnection::close);
        claims.release(record);
    }
}
