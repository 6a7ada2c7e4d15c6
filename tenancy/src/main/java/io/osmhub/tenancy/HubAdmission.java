package io.osmhub.tenancy;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ExtensionAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Admission's view: every tenant from stored objects, including tenants of other replicas. */
final class HubAdmission implements AdmissionView {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HubContext hub;
    private final ManagementStores stores;
    private final TenantSupervisor tenantSupervisor;
    private final HubQueries queries;

    HubAdmission(HubContext hub, TenantSupervisor tenantSupervisor, HubQueries queries) {
        this.hub = hub;
        this.stores = hub.stores();
        this.tenantSupervisor = tenantSupervisor;
        this.queries = queries;
    }

    @Override
    public Optional<AdmittedTenant> tenant(String namespace, String name) {
        if (!areCatalogsSynced()) {
            return Optional.empty();
        }
        return Optional.ofNullable(stores.workerClusters().find(namespace, name))
                .map(this::admitted);
    }

    @Override
    public Optional<AdmittedTenant> local() {
        HubSettings now = hub.settings();
        return now.single() ? tenant(now.namespace(), Hub.LOCAL) : Optional.empty();
    }

    private AdmittedTenant admitted(WorkerClusterRecord record) {
        HubSettings now = hub.settings();
        TenantSettings.Profiles own = new LayeredSettings(
                        SettingsResolver.read(record.describe(), record.settings())
                                .layer(),
                        stores.kkp().settings(record.namespace(), false).layer(),
                        now.defaults())
                .toTenantSettings()
                .profiles();
        ProfileAccess rights = ProfileAccess.of(record.namespace(), own);
        ProfileLister usable =
                live(record).<ProfileLister>map(LiveTenant::profiles).orElse(stores.profiles());
        return new AdmittedTenant(
                record.namespace(),
                record.name(),
                record.uid(),
                own,
                new TenantProfileCatalog(
                        usable,
                        hub.compiledProfiles(),
                        now.sharedProfileNamespace(),
                        () -> rights,
                        new ExtensionAccess(stores.extensions(), () -> stores.labels(record), List.of())),
                () -> machineDeployments(record),
                machineDeployment -> trial(record, machineDeployment));
    }

    private List<ObjectKey> machineDeployments(WorkerClusterRecord record) {
        return tenantSupervisor
                .view(record.namespace(), record.name())
                .map(TenantView::sync)
                .map(sync -> sync.machineDeployments().stream()
                        .map(MachineDeploymentState::key)
                        .toList())
                .orElse(List.of());
    }

    /** Empty if another replica serves it. */
    private Optional<LiveTenant> live(WorkerClusterRecord record) {
        return queries.live(record.namespace())
                .filter(live -> live.view().name().equals(record.name()));
    }

    /** An API server waits, and previews share a thread, so slow checks are left to conditions. */
    private List<String> trial(WorkerClusterRecord record, MachineDeployment machineDeployment) {
        Optional<LiveTenant> tenant = live(record);
        if (tenant.isEmpty()) {
            return List.of();
        }
        ObjectKey key = new ObjectKey(machineDeployment.namespace(), machineDeployment.name());
        PreviewProposal proposal = new PreviewProposal(List.of(), List.of(), null, machineDeployment, null);
        Optional<PreviewResult> attempt = CompletableFuture.supplyAsync(
                        () -> tenant.get().previewRendering(key, proposal), Thread::startVirtualThread)
                .completeOnTimeout(Optional.empty(), TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return attempt.map(one -> one.problems().stream().map(Problem::message).toList())
                .orElse(List.of());
    }

    @Override
    public ExtensionImpact impactOf(StoredExtension proposed) {
        CompiledExtension compiled = proposed.compiled();
        return compiled == null || !areCatalogsSynced()
                ? new ExtensionImpact(proposed.mistakes(), 0, false, 0, 0)
                : hub.dependencies().previews().call(proposed.namespace(), () -> ExtensionImpactAnalyzer.of(hub)
                        .analyze(compiled));
    }

    @Override
    public List<Problem> findExtensionConflicts(StoredProfile proposed) {
        return areCatalogsSynced() ? ExtensionImpactAnalyzer.of(hub).findConflicts(proposed) : List.of();
    }

    /** Incomplete data would only produce false errors. */
    private boolean areCatalogsSynced() {
        return stores.profiles().isSynced()
                && stores.extensions().isKnown()
                && stores.namespaces().isSynced();
    }

    @Override
    public RegistrationState standing(WorkerClusterRecord candidate) {
        List<WorkerClusterRecord> neighbours = stores.workerClusters().recordsIn(candidate.namespace()).stream()
                .filter(other -> !other.name().equals(candidate.name()))
                .toList();
        return hub.eligibility().decide(candidate, stores.namespaces().find(candidate.namespace()), neighbours);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return stores.namespaces().offersProfiles(namespace);
    }
}
