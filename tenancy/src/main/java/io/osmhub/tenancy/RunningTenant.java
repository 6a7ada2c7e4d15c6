package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.catalog.TenantConfigs;
import io.osmhub.tenancy.catalog.TenantProfiles;
import io.osmhub.tenancy.link.GivenLink;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.OperatorSettings;
import io.osmhub.tenancy.settings.ResolvedSettings;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.Cleanup;
import io.osmhub.workersync.reconcile.Runs;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One tenant that is served: its settings, its way to the worker cluster and its sync, kept together. All methods but those that
 * only read are called by one thread at a time, which the supervisor sees to.
 */
final class RunningTenant {
    private static final Duration BETWEEN_LOOKS_FOR_RIGHTS = Duration.ofMinutes(5);

    private final Services services;
    private final ClusterClaims claims;
    private final Consumer<String> lookAgain;
    private final Runnable changed;
    private final SyncListener heard;
    private final GivenLink.@Nullable Worker given;
    private final TenantKubeconfig kubeconfig;
    private @Nullable WorkerLink givenLink;
    private final HeldSettings settings;
    private final TenantProfiles profiles;
    private final TenantConfigs configs;
    private final EventWriter events;
    private final TenantReporter reporter;
    private final TenantWebhook webhook;
    private final ScopedCare scoped;
    private final LastWrite lastWrite;

    private volatile WorkerClusterRecord record;
    private volatile @Nullable WorkerSync sync;
    private volatile @Nullable KubeApi connected;
    private ClusterIdentity identity = ClusterIdentity.UNKNOWN;
    private boolean secretGone;
    private volatile boolean looksForRights;
    private @Nullable CompletableFuture<Cleanup> removal;
    private String handledRequest;
    private String acceptedCluster;

    /**
     * What the operator gave for a worker cluster that no Secret registers.
     *
     * @param worker the way there
     * @param settings in place of the WorkerCluster's; null when the WorkerCluster has them
     */
    record Given(GivenLink.Worker worker, @Nullable OperatorSettings settings) {}

    /**
     * A tenant whose sync rests.
     *
     * @param given null for one with a kubeconfig Secret
     * @param lookAgain asks for another look at a namespace; hands over and returns
     * @param counted asks for another status only; hands over and returns
     */
    RunningTenant(
            WorkerClusterRecord record,
            @Nullable Given given,
            Services services,
            ClusterClaims claims,
            Consumer<String> lookAgain,
            Runnable counted) {
        this.record = record;
        this.services = services;
        this.claims = claims;
        this.given = given == null ? null : given.worker();
        String namespace = record.namespace();
        this.lookAgain = lookAgain;
        this.changed = () -> lookAgain.accept(namespace);
        this.kubeconfig = new TenantKubeconfig(services.links(), changed);
        this.settings = new HeldSettings(namespace, given == null ? null : given.settings(), services, changed);
        this.profiles = new TenantProfiles(
                services.profiles(),
                services.compiled(),
                services.settings().get().sharedProfileNamespace(),
                settings::rights);
        KubeApi management = services.fencing().fenced(services.management(), namespace);
        this.configs = new TenantConfigs(namespace, services.configs(), services.statuses(), management);
        this.events = new EventWriter(
                management,
                services.around().timers(),
                services.around().waiting(),
                services.around().random(),
                services.environment().replica());
        this.reporter = new TenantReporter(record, services, events);
        this.webhook = new TenantWebhook(record, given != null, services, changed);
        this.scoped = new ScopedCare(services, this::tell, changed);
        this.lastWrite = new LastWrite(services.around().timers());
        this.handledRequest = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        this.acceptedCluster = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        this.heard = new SyncNews(this::link, counted);
    }

    WorkerClusterRecord record() {
        return record;
    }

    // Serving

    /**
     * Brings everything to what the WorkerCluster and its Secret say now.
     *
     * @param secret null when there is none
     */
    void serve(WorkerClusterRecord now, @Nullable KubeconfigSecret secret) {
        record = now;
        lookAtKubeconfig(secret);
        WorkerLink link = link();
        LinkState state = state();
        identity = tellOfContest(identity(state), state);
        settings.resolve(record, state == null ? "" : state.kubeconfigCa());
        followRequest(link);
        connect(state);
        webhook.keep(record, identity.isServed() ? state : null, settings.resolved(), isPaused());
        report();
    }

    /** Reads and writes nothing in the worker cluster until {@link #serve} is called again. */
    void suspend() {
        connected = null;
        withSync(WorkerSync::suspend);
    }

    /** Other settings of the operator hold from the next look on. */
    void settings(SettingsLayer flags) {
        settings.operator(flags);
    }

    private void lookAtKubeconfig(@Nullable KubeconfigSecret secret) {
        if (given != null) {
            if (givenLink == null) {
                givenLink = new GivenLink(
                        record.namespace(),
                        record.name(),
                        given,
                        services.around().timers().now(),
                        changed);
            }
            return;
        }
        WorkerClusterSpec spec = record.spec();
        if (spec != null && spec.kubeconfigSecretRef() != null) {
            kubeconfig.look(
                    record,
                    spec.kubeconfigSecretRef(),
                    secret,
                    services.rules(record.namespace()),
                    services.egress(record.namespace()),
                    settings.ofConnection(record));
        }
        secretGone = secret == null;
        scoped.look(record, secret, kubeconfig.newest(), kubeconfig.link());
    }

    private @Nullable WorkerLink link() {
        return given == null ? kubeconfig.link() : givenLink;
    }

    private @Nullable LinkState state() {
        WorkerLink link = link();
        return link == null ? null : scoped.judged(link.state());
    }

    /** What the operator gave is right. */
    private ClusterIdentity identity(@Nullable LinkState state) {
        return state == null || given != null
                ? ClusterIdentity.UNKNOWN
                : ClusterIdentity.of(record, state, claims, lookAgain);
    }

    /** Also notifies the tenant that is served with the same cluster, even on another replica: one of the two API servers may be lying. */
    private ClusterIdentity tellOfContest(ClusterIdentity now, @Nullable LinkState state) {
        if (state != null && now.isDuplicate() && !identity.isDuplicate()) {
            for (WorkerClusterRecord holder : claims.holders(state.clusterId())) {
                if (!holder.uid().equals(record.uid())) {
                    reporter.tell(holder, ClusterIdentity.contested(holder, state.clusterId()));
                }
            }
        }
        return now;
    }

    /** Somebody asked, by an annotation, to connect again and to look at everything. */
    private void followRequest(@Nullable WorkerLink link) {
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        if (!accepted.isEmpty() && !accepted.equals(acceptedCluster) && link != null) {
            acceptedCluster = accepted;
            link.acceptClusterId(accepted);
        }
        String request = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        if (!request.equals(handledRequest)) {
            handledRequest = request;
            if (link != null) {
                link.reconnect();
                link.lookAtRights();
            }
            resync();
        }
    }

    /** Lets the sync work with the connection there is, or rest without one. */
    private void connect(@Nullable LinkState state) {
        ResolvedSettings resolved = settings.resolved();
        WorkerSync running = sync;
        if (resolved == null || !resolved.complete()) {
            return;
        }
        TenantInputs inputs = inputs(resolved, state == null ? "" : state.kubeconfigCa());
        if (running == null) {
            if (state == null || state.api() == null) {
                return;
            }
            running = new WorkerSync(
                    inputs,
                    new WorkerSync.Tenant(
                            new Runs.Management(
                                    configs,
                                    profiles,
                                    OpenProblems.of(record.status()).all()),
                            events,
                            heard),
                    services.environment());
            sync = running;
        } else {
            running.inputs(inputs);
        }
        if (state != null) {
            running.credentialsGood(state.credentialsGood());
            running.mayGrant(state.scopedFetch());
            lookForRights(state, inputs);
        }
        KubeApi api = state == null || !identity.isServed() ? null : state.api();
        if (api == connected) {
            return;
        }
        if (api != null && connected != null && state != null) {
            reporter.rotated(record, state);
        }
        connected = api;
        if (api == null) {
            running.suspend();
        } else {
            running.start(lastWrite.noting(services.fencing().fenced(api, record.namespace())));
        }
    }

    /** Where a right is asked for that is not granted: whether it is now, as for those that are needed. */
    private void lookForRights(LinkState state, TenantInputs inputs) {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() == NodeFetch.SCOPED_TOKEN;
        if (wanted && state.api() != null && !state.scopedFetch() && !looksForRights) {
            looksForRights = true;
            services.around().timers().after(BETWEEN_LOOKS_FOR_RIGHTS, () -> {
                looksForRights = false;
                WorkerLink link = link();
                if (link != null) {
                    link.lookAtRights();
                }
                changed.run();
            });
        }
    }

    private TenantInputs inputs(ResolvedSettings resolved, String kubeconfigCa) {
        return new TenantInputs(
                record.namespace(),
                record.name(),
                services.hubId().get(),
                resolved.settings(),
                resolved.references(),
                resolved.mistakes(),
                kubeconfigCa,
                isPaused());
    }

    private boolean isPaused() {
        WorkerClusterSpec spec = record.spec();
        return spec != null && spec.paused() || secretGone;
    }

    // Hearing of other objects

    boolean looksInto(String namespace) {
        return profiles.looksInto(namespace);
    }

    private void withSync(Consumer<WorkerSync> task) {
        WorkerSync running = sync;
        if (running != null) {
            task.accept(running);
        }
    }

    /** Looks at everything again, without haste. */
    void resync() {
        withSync(WorkerSync::resync);
    }

    void profilesChanged(Set<String> names) {
        withSync(running -> running.profilesChanged(names));
    }

    void configChanged(String name) {
        withSync(running -> running.configChanged(name));
    }

    // Leaving

    /**
     * Takes the hub out of the worker cluster, within the time that the WorkerCluster gives.
     *
     * @return what was left; null while it goes on
     */
    @Nullable Cleanup leave(WorkerClusterRecord now, @Nullable KubeconfigSecret secret) {
        if (secret != null || link() == null) {
            lookAtKubeconfig(secret);
        }
        record = now;
        WorkerLink link = link();
        if (link == null) {
            return new Cleanup(false, 0, 0, "no usable kubeconfig");
        }
        LinkState state = link.state();
        identity = identity(state);
        if (!identity.isServed()) {
            // What is there is another tenant's, or another cluster's: nothing of it is touched.
            return new Cleanup(false, 0, 0, "the worker cluster is not this tenant's");
        }
        if (settings.resolved() == null) {
            settings.resolve(record, state.kubeconfigCa());
        }
        Instant at = services.around().timers().now();
        connect(state);
        boolean unhooked = webhook.leave(state);
        WorkerSync running = sync;
        CompletableFuture<Cleanup> cleaning = removal;
        if (cleaning == null && running != null) {
            boolean deletes =
                    now.spec() == null || now.spec().deletionPolicy() == WorkerClusterSpec.DeletionPolicy.DELETE;
            cleaning = running.remove(deletes, CleanupTime.left(now, at))
                    .whenComplete((cleanup, failure) -> changed.run());
            removal = cleaning;
        }
        report();
        Cleanup done =
                cleaning != null && cleaning.isDone() && !cleaning.isCompletedExceptionally() ? cleaning.join() : null;
        if (done != null && unhooked) {
            return done;
        }
        if (!CleanupTime.left(now, at).isZero()) {
            return null;
        }
        return done != null
                ? webhook.left(done)
                : new Cleanup(false, 0, 0, state.connection().message());
    }

    /** How long until removal lets go. */
    Duration untilLetGo() {
        return CleanupTime.left(record, services.around().timers().now());
    }

    /** Removes the tenant's OperatingSystemConfigs that clean-up could not: they are in the management cluster. */
    void dropConfigs() throws ApiFailure {
        configs.deleteOwned();
    }

    void tell(Diagnosis diagnosis) {
        reporter.tell(record, diagnosis);
    }

    /** Ends everything at once; nothing is cleaned up. */
    void stop() {
        withSync(WorkerSync::stop);
        scoped.stop();
        webhook.close();
        kubeconfig.close();
        if (givenLink != null) {
            givenLink.close();
        }
        settings.close();
        claims.release(record);
    }

    // Telling

    /** Offers the status as it is now, and tells what is new in it. */
    void report() {
        reporter.report(record, situation());
    }

    private TenantReporter.Situation situation() {
        WorkerSync running = sync;
        SyncStatus status = running == null ? null : running.status();
        ResolvedSettings resolved = settings.resolved();
        return new TenantReporter.Situation(
                state(),
                kubeconfig.problem(),
                identity.other(),
                TenantReporter.problems(record, identity, resolved, status, webhook),
                resolved,
                status,
                handledRequest,
                lastWrite.at());
    }

    TenantView view() {
        WorkerSync running = sync;
        return reporter.view(record, settings.resolved(), running == null ? null : running.status());
    }

    LiveTenant live(LiveTenant.Tools tools) {
        return new LiveTenant(view(), sync, settings.rights(), tools);
    }

    /** In its own namespace, beside the shared one. */
    boolean wantsDefaultProfiles() {
        ResolvedSettings now = settings.resolved();
        return now != null
                && now.settings().profiles().installDefaults() == TenantSettings.InstallDefaults.PER_NAMESPACE;
    }

    /** UID of the worker cluster's {@code kube-system}; empty when it was never reached. */
    String clusterId() {
        WorkerLink link = link();
        String seen = link == null ? "" : link.state().clusterId();
        return seen.isEmpty() ? record.clusterId() : seen;
    }
}
