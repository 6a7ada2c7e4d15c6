package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.tenancy.Hub.HubDependencies;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.TenantEligibility;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.workersync.WorkerSync.SyncEnvironment;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What all tenants of a hub share; a tenant's sync gets only parts scoped to the tenant. Thread-safe. */
final class HubContext {
    private final HubDependencies dependencies;
    private final ManagementStores stores;
    private final CompiledProfileCache compiledProfiles;
    private final AdmissionEndpoint admissionEndpoint;
    private final @Nullable OperatorWorkerCluster operatorWorkerCluster;
    private final SyncEnvironment environment;
    private volatile HubSettings settings;
    /** Set before the first tenant is served. */
    private volatile HubIdentity identity = HubIdentity.NONE;

    /** @param operatorWorkerCluster null to serve the clusters of kubeconfig Secrets */
    HubContext(
            HubDependencies dependencies,
            HubSettings settings,
            ManagementStores stores,
            AdmissionEndpoint admissionEndpoint,
            @Nullable OperatorWorkerCluster operatorWorkerCluster) {
        this.dependencies = dependencies;
        this.settings = settings;
        this.stores = stores;
        this.admissionEndpoint = admissionEndpoint;
        this.operatorWorkerCluster = operatorWorkerCluster;
        SyncEnvironment given = dependencies.environment();
        this.environment = new SyncEnvironment(stores.runtimeContext(), given.runDependencies(), given.replica());
        this.compiledProfiles = new CompiledProfileCache(
                dependencies.engines(), settings.compiledProfiles(), (language, compilation) -> {
                    long start = runtimeContext().scheduler().nanoTime();
                    var compiled = compilation.get();
                    long end = runtimeContext().scheduler().nanoTime();
                    dependencies.observer().onProfileCompiled(language, Duration.ofNanos(end - start));
                    return compiled;
                });
    }

    HubDependencies dependencies() {
        return dependencies;
    }

    ManagementStores stores() {
        return stores;
    }

    CompiledProfileCache compiledProfiles() {
        return compiledProfiles;
    }

    /** Where worker clusters reach the hub's webhooks. */
    AdmissionEndpoint admissionEndpoint() {
        return admissionEndpoint;
    }

    @Nullable OperatorWorkerCluster operatorWorkerCluster() {
        return operatorWorkerCluster;
    }

    SyncEnvironment environment() {
        return environment;
    }

    /** Reports unreadable objects of the management cluster. */
    RuntimeContext runtimeContext() {
        return environment.runtimeContext();
    }

    HubSettings settings() {
        return settings;
    }

    void setSettings(HubSettings changed) {
        settings = changed;
    }

    HubIdentity identity() {
        return identity;
    }

    void setIdentity(HubIdentity known) {
        identity = known;
    }

    /** Whether this replica serves a namespace. */
    boolean serves(String namespace) {
        return dependencies.fence().served().test(namespace);
    }

    /**
     * The management cluster, where writes are rejected while this replica does not serve the namespace. For all requests of one
     * tenant, because an Event may be about the WorkerCluster of another replica's tenant.
     */
    KubeApi managementFor(String namespace) {
        return dependencies.fence().ofTenant(dependencies.management(), namespace);
    }

    /** Kubeconfig policy in a namespace. */
    KubeconfigRules kubeconfigRules(String namespace) {
        return settings.kubeconfigPolicy()
                .forNamespace(NamespaceRecord.labelsOf(stores.namespaces().find(namespace)));
    }

    /** Where kubeconfigs of a namespace may connect to. */
    EgressPolicy egress(String namespace) {
        HubSettings current = settings;
        return new EgressPolicy(kubeconfigRules(namespace), current.managementApi(), current.ownAddresses());
    }

    TenantEligibility eligibility() {
        HubSettings current = settings;
        return new TenantEligibility(current.namespaceSelector(), current.namespace(), current.single());
    }
}
