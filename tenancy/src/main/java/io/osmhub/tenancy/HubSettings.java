package io.osmhub.tenancy;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.crds.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.Discovery;
import io.osmhub.tenancy.status.StatusLane;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the operator wants the hub.
 *
 * @param namespace the hub's own, for Leases; with {@code single} also the tenant
 * @param sharedProfileNamespace where profiles for all tenants are
 * @param namespaceSelector which namespaces may hold a tenant
 * @param single the management cluster is its own and only worker
 * @param removalDelay after how long without its Secret a WorkerCluster is removed that a labelled Secret registered; until then it is
 *     paused. Null for never
 * @param defaults of the tenants' settings
 * @param kubeconfigPolicy what a registered kubeconfig may hold
 * @param managementApi addresses of the management cluster's API server, which no tenant may name
 * @param ownAddresses of this process and of the hub's Services, which no tenant may name
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

    /** As without a configuration. */
    public static HubSettings usual(String namespace) {
        return new HubSettings(
                namespace,
                "osm-profiles",
                LabelSelector.EVERYTHING,
                false,
                InstallPolicy.IF_ABSENT,
                Discovery.LABELLED_ONLY,
                null,
                SettingsLayer.EMPTY,
                KubeconfigPolicy.DEFAULT,
                Set.of(),
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
                removalDelay,
                defaults,
                kubeconfigPolicy,
                managementApi,
                ownAddresses,
                compiledProfiles,
                statusesPerSecond);
    }
}
