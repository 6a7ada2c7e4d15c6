package io.osmhub.tenancy.settings;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operator's settings.
 *
 * @param namespace the hub's own, for Leases; with {@code single} also the tenant's
 * @param sharedProfileNamespace namespace of the profiles for all tenants
 * @param namespaceSelector namespaces that may contain a tenant
 * @param single whether the management cluster is the only worker cluster
 * @param kkpNamespace namespace of KKP's own objects; empty without KKP
 * @param removalDelay how long a WorkerCluster registered by a labelled Secret is kept, paused, after the Secret was deleted;
 *     null forever
 * @param defaults defaults of tenant settings
 * @param kubeconfigPolicy restrictions on registered kubeconfigs
 * @param managementApi addresses of the management cluster's API server, forbidden to tenants
 * @param ownAddresses addresses of this process and of the hub's Services, forbidden to tenants
 * @param compiledProfiles maximum number of compiled profiles to cache
 * @param statusesPerSecond maximum status writes per second
 */
public record HubSettings(
        String namespace,
        String sharedProfileNamespace,
        LabelSelector namespaceSelector,
        boolean single,
        InstallPolicy installCrds,
        SecretDiscovery discovery,
        String kkpNamespace,
        @Nullable Duration removalDelay,
        SettingsLayer defaults,
        KubeconfigPolicy kubeconfigPolicy,
        Set<InetSocketAddress> managementApi,
        Set<InetAddress> ownAddresses,
        int compiledProfiles,
        int statusesPerSecond) {
    public HubSettings {
        managementApi = Set.copyOf(managementApi);
        ownAddresses = Set.copyOf(ownAddresses);
    }
}
