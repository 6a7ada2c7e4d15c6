package io.osmhub.tenancy;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.kkp.KkpCache;
import io.osmhub.tenancy.namespace.NamespaceCache;
import io.osmhub.tenancy.registry.TenantEligibility;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Admission's view: every tenant from stored objects, including tenants of other replicas. */
final class HubAdmission implements AdmissionView {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final WorkerClusterStore clusters;
    private final KkpCache kkp;
    private final ProfileCache profiles;
    private final NamespaceCache namespaces;
    private final CompiledProfileCache compiled;
    private final Supplier<HubSettings> settings;
    private final TenantDirectory served;
    private final HubQueries details;

    /** @param served tenants of this replica */
    HubAdmission(
            WorkerClusterStore clusters,
            KkpCache kkp,
            ProfileCache profiles,
            NamespaceCache namespaces,
            CompiledProfileCache compiled,
            Supplier<HubSettings> settings,
            TenantDirectory served,
            HubQueries details) {
        this.clusters = clusters;
        this.kkp = kkp;
        this.profiles = profiles;
        this.namespaces = namespaces;
        this.compiled = compiled;
        this.settings = settings;
        this.served = served;
        this.details = details;
    }

    @Override
    public Optional<AdmittedTenant> tenant(String namespace, String name) {
        if (!profiles.isSynced() || !namespaces.isSynced()) {
            // Incomplete data would only produce false errors.
            return Optional.empty();
        }
        return Optional.ofNullable(clusters.find(namespace, name)).map(this::admitted);
    }

    @Override
    public Optional<AdmittedTenant> local() {
        HubSettings now = settings.get();
        return now.single() ? tenant(now.namespace(), Hub.LOCAL) : Optional.empty();
    }

    private AdmittedTenant admitted(WorkerClusterRecord record) {
        HubSettings now = settings.get();
        TenantSettings.Profiles own = new LayeredSettings(
                        SettingsResolver.read(record.describe(), record.settings())
                                .layer(),
                        kkp.settings(record.namespace(), false).layer(),
                        now.defaults())
                .toTenantSettings()
                .profiles();
        ProfileAccess rights = ProfileAccess.of(record.namespace(), own);
        ProfileLister usable =
                live(record).<ProfileLister>map(LiveTenant::profiles).orElse(profiles);
        return new AdmittedTenant(
                record.namespace(),
                record.name(),
                record.uid(),
                own,
                new TenantProfileCatalog(usable, compiled, now.sharedProfileNamespace(), () -> rights),
                () -> machineDeployments(record),
                machineDeployment -> trial(record, machineDeployment));
    }

    private List<ObjectKey> machineDeployments(WorkerClusterRecord record) {
        return served.tenant(record.namespace(), record.name())
                .map(TenantView::sync)
                .map(sync -> sync.machineDeployments().stream()
                        .map(MachineDeploymentState::key)
                        .toList())
                .orElse(List.of());
    }

    /** Empty if another replica serves it. */
    private Optional<LiveTenant> live(WorkerClusterRecord record) {
        return details.live(record.namespace())
                .filter(live -> live.view().name().equals(record.name()));
    }

    /** An API server waits, and previews share a thread, so slow checks are left to conditions. */
    private List<String> trial(WorkerClusterRecord record, MachineDeployment machineDeployment) {
        Optional<LiveTenant> tenant = live(record);
        if (tenant.isEmpty()) {
            return List.of();
        }
        ObjectKey key = new ObjectKey(machineDeployment.namespace(), machineDeployment.name());
        PreviewProposal proposal = new PreviewProposal(List.of(), null, machineDeployment, null);
        Optional<PreviewResult> attempt = CompletableFuture.supplyAsync(
                        () -> tenant.get().previewRendering(key, proposal), Thread::startVirtualThread)
                .completeOnTimeout(Optional.empty(), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return attempt.map(one ->
                        one.problems().stream().map(ReasonMessage::message).toList())
                .orElse(List.of());
    }

    @Override
    public RegistrationState standing(WorkerClusterRecord candidate) {
        HubSettings now = settings.get();
        List<WorkerClusterRecord> neighbours = clusters.in(candidate.namespace()).stream()
                .filter(other -> !other.name().equals(candidate.name()))
                .toList();
        return new TenantEligibility(now.namespaceSelector(), now.namespace(), now.single())
                .decide(candidate, namespaces.find(candidate.namespace()), neighbours);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return namespaces.offersProfiles(namespace);
    }
}
