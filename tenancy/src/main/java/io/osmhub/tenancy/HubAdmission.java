package io.osmhub.tenancy;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmittedTenant;
import io.osmhub.tenancy.catalog.ProfileRights;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.TenantProfiles;
import io.osmhub.tenancy.namespace.Namespaces;
import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.TenantRules;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.workersync.reconcile.State;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What admission sees: each tenant by what is stored of it, also those that another replica serves. */
final class HubAdmission implements AdmissionView {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final WorkerClusters clusters;
    private final Profiles profiles;
    private final Namespaces namespaces;
    private final CompiledProfiles compiled;
    private final Supplier<HubSettings> settings;
    private final TenantDirectory served;
    private final LiveDetails details;

    /** @param served the tenants of this replica */
    HubAdmission(
            WorkerClusters clusters,
            Profiles profiles,
            Namespaces namespaces,
            CompiledProfiles compiled,
            Supplier<HubSettings> settings,
            TenantDirectory served,
            LiveDetails details) {
        this.clusters = clusters;
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
            // Of half of what is stored nothing could be said but mistakes.
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
        TenantSettings.Profiles own = new EffectiveSettings(
                        SettingsResolver.read(record.describe(), record.settings())
                                .layer(),
                        now.defaults())
                .settings()
                .profiles();
        ProfileRights rights = ProfileRights.of(record.namespace(), own);
        return new AdmittedTenant(
                record.namespace(),
                record.name(),
                record.uid(),
                own,
                new TenantProfiles(profiles, compiled, now.sharedProfileNamespace(), () -> rights),
                () -> machineDeployments(record),
                machineDeployment -> trial(record, machineDeployment));
    }

    private List<ObjectKey> machineDeployments(WorkerClusterRecord record) {
        return served.tenant(record.namespace(), record.name())
                .map(TenantView::sync)
                .map(sync -> sync.machineDeployments().stream().map(State::key).toList())
                .orElse(List.of());
    }

    /** An API server waits for the answer, and previews share a thread: what takes long is told by conditions instead. */
    private List<String> trial(WorkerClusterRecord record, MachineDeployment machineDeployment) {
        Optional<LiveTenant> tenant = details.live(record.namespace())
                .filter(live -> live.view().name().equals(record.name()));
        if (tenant.isEmpty()) {
            return List.of();
        }
        ObjectKey key = new ObjectKey(machineDeployment.namespace(), machineDeployment.name());
        Proposal proposal = new Proposal(List.of(), null, machineDeployment, null);
        Optional<Attempt> attempt = CompletableFuture.supplyAsync(
                        () -> tenant.get().attempt(key, proposal), Thread::startVirtualThread)
                .completeOnTimeout(Optional.empty(), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return attempt.map(
                        one -> one.problems().stream().map(Diagnosis::message).toList())
                .orElse(List.of());
    }

    @Override
    public Standing standing(WorkerClusterRecord candidate) {
        HubSettings now = settings.get();
        List<WorkerClusterRecord> neighbours = clusters.in(candidate.namespace()).stream()
                .filter(other -> !other.name().equals(candidate.name()))
                .toList();
        return new TenantRules(now.namespaceSelector(), now.namespace(), now.single())
                .decide(candidate, namespaces.find(candidate.namespace()), neighbours);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return namespaces.offersProfiles(namespace);
    }
}
