package io.osmhub.tenancy;

import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigRules;
import io.osmhub.tenancy.link.WorkerLinks;
import io.osmhub.tenancy.namespace.NamespaceRecord;
import io.osmhub.tenancy.registry.TenantRules;
import io.osmhub.tenancy.status.StatusKeeper;
import io.osmhub.tenancy.status.StatusLane;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.Surroundings;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all tenants of the hub are served with. Only this package has it whole; a tenant's sync gets parts narrowed to the tenant.
 *
 * @param management writes are held back while this replica may not
 * @param hubId UID of {@code kube-system} of the management cluster
 * @param clusters keeps the statuses of WorkerClusters
 * @param settings of the hub, as they are now
 * @param admission where worker clusters reach the hub's webhooks
 */
record Services(
        KubeApi management,
        Supplier<String> hubId,
        Supplier<HubSettings> settings,
        Profiles profiles,
        StoredConfigs configs,
        StatusKeeper clusters,
        Function<String, @Nullable NamespaceRecord> namespaces,
        CompiledProfiles compiled,
        StatusLane statuses,
        WorkerLinks links,
        Fencing fencing,
        AdmissionEndpoint admission,
        WorkerSync.Environment environment) {

    /** Makes the writes for one tenant depend on whether this replica may write for it. */
    @FunctionalInterface
    interface Fencing {
        KubeApi fenced(KubeApi api, String namespace);
    }

    Surroundings around() {
        return environment.around();
    }

    /** The policy for kubeconfigs as it holds in a namespace. */
    KubeconfigRules rules(String namespace) {
        NamespaceRecord record = namespaces.apply(namespace);
        return settings.get().kubeconfigPolicy().forNamespace(record == null ? Map.of() : record.labels());
    }

    EgressPolicy egress(String namespace) {
        return new EgressPolicy(
                rules(namespace), settings.get().managementApi(), settings.get().ownAddresses());
    }

    TenantRules tenantRules() {
        HubSettings now = settings.get();
        return new TenantRules(now.namespaceSelector(), now.namespace(), now.single());
    }
}
