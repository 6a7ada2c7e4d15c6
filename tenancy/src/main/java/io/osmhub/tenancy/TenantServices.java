package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.kkp.KkpCache;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.link.WorkerLinkFactory;
import io.osmhub.tenancy.namespace.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.TenantEligibility;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.status.StatusWriter;
import io.osmhub.tenancy.status.StatusWriter.StatusStore;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Services for all tenants of the hub. Not visible outside this package; a tenant's sync gets parts scoped to the tenant.
 *
 * @param management not fenced
 * @param identity of this hub; known before a tenant is served
 * @param clusters stores the statuses of WorkerClusters
 * @param kkp tenants of KKP, without any outside of KKP mode
 * @param settings current settings of the hub
 * @param admission where worker clusters reach the hub's webhooks
 */
record TenantServices(
        KubeApi management,
        Supplier<HubIdentity> identity,
        Supplier<HubSettings> settings,
        ProfileCache profiles,
        ConfigCache configs,
        StatusStore clusters,
        KkpCache kkp,
        Function<String, @Nullable NamespaceRecord> namespaces,
        CompiledProfileCache compiled,
        StatusWriter statuses,
        WorkerLinkFactory links,
        WriteFence fence,
        AdmissionEndpoint admission,
        WorkerSync.SyncEnvironment environment) {

    RuntimeContext runtime() {
        return environment.runtime();
    }

    /** Kubeconfig policy in a namespace. */
    KubeconfigRules rules(String namespace) {
        return settings.get().kubeconfigRules(namespaces.apply(namespace));
    }

    EgressPolicy egress(String namespace) {
        return new EgressPolicy(
                rules(namespace), settings.get().managementApi(), settings.get().ownAddresses());
    }

    TenantEligibility tenantRules() {
        HubSettings now = settings.get();
        return new TenantEligibility(now.namespaceSelector(), now.namespace(), now.single());
    }
}
