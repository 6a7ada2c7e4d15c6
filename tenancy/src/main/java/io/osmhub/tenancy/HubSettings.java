package io.osmhub.tenancy;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.crds.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.Discovery;
import io.osmhub.tenancy.status.StatusLane;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * How the operator wants the hub.
 *
 * @param namespace the hub's own, for Leases; with {@code single} also the tenant
 * @param sharedProfileNamespace where profiles for all tenants are
 * @param namespaceSelector which namespaces may hold a tenant
 * @param single the management cluster is its own and only worker
 * @param pauseWithoutSecret a WorkerCluster whose Secret was deleted is paused, not removed
 * @param defaults of the tenants' settings
 * @param kubeconfigPolicy what a registered kubeconfig may hold
 * @param managementApi addresses of the management cluster's API server, which no tenant may name
 * @param compiledProfiles most contents of profiles to keep compiled
 * @param statusesPerSecond most statuses written in a second
 */
public record HubSettings(
        String namespace,
        String sharedProfileNamespace,
        LabelSelector namespaceSelector,
        boolean single,
        InstallPolicy installCrds,
        Discovery discovery,
        boolean pauseWithoutSecret,
        SettingsLayer defaults,
        KubeconfigPolicy kubeconfigPolicy,
        Set<InetSocketAddress> managementApi,
        int compiledProfiles,
        int statusesPerSecond) {
    public HubSettings {
        managementApi = Set.copyOf(managementApi);
    }

    /** As without a configuration. */
    public static HubSettings usual(String namespace) {
        return new HubSettings(
                namespace,
                "osm-profiles",
                LabelSelector.EVERYTHING,
                false,
                InstallPolicy.IF_ABSENT,
                Discovery.LABELLED_ONLY,
                false,
                SettingsLayer.EMPTY,
                KubeconfigPolicy.DEFAULT,
                Set.of(),
                2048,
                StatusLane.USUAL_RATE);
    }

    /** The same for a single cluster. */
    public HubSettings forSingleCluster() {
        return new HubSettings(
                namespace,
                sharedProfileNamespace,
                namespaceSelector,
                true,
                installCrds,
                discovery,
                pauseWithoutSecret,
                defaults,
                kubeconfigPolicy,
                managementApi,
                compiledProfiles,
                statusesPerSecond);
    }
}
