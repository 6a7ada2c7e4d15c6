package io.osmhub.deploy.run;

import io.osmhub.core.model.IpAddress;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.settings.HubSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Derives the hub's core settings from the configuration. */
final class HubSettingsFactory {
    private static final int HTTPS = 443;
    private static final String SERVICE = "_SERVICE_HOST";
    // Denied by another rule, including its port.
    private static final String MANAGEMENT_SERVICE = "KUBERNETES_SERVICE_HOST";

    private final Set<InetSocketAddress> managementApi;
    private final Set<InetAddress> own;
    private final boolean single;

    /** @param server URL of the management cluster's API server; its host name is resolved */
    HubSettingsFactory(URI server, Map<String, String> environment, boolean single) throws IOException {
        this.managementApi = addresses(server);
        this.own = ownAddresses(environment);
        this.single = single;
    }

    HubSettings of(HubConfiguration configuration) {
        HubConfiguration.Tenancy tenancy = configuration.tenancy();
        return new HubSettings(
                configuration.management().namespace(),
                tenancy.sharedProfileNamespace(),
                tenancy.namespaceSelector(),
                single,
                tenancy.installCRDs(),
                new SecretDiscovery(
                        kkpSecret(configuration.kkp()), tenancy.discovery().clusterAPI()),
                configuration.kkp().namespace(),
                tenancy.removal().onSecretDeleted() == HubConfiguration.OnSecretDeleted.PAUSE
                        ? null
                        : tenancy.removal().delay(),
                configuration.defaults(),
                policy(configuration.kubeconfigPolicy()),
                managementApi,
                own,
                configuration.render().compiledProfiles(),
                configuration.management().statusesPerSecond());
    }

    static KubeconfigPolicy policy(HubConfiguration.Policy policy) {
        return new KubeconfigPolicy(
                Set.copyOf(policy.allow()),
                policy.denyCIDRs(),
                policy.allowCIDRs(),
                policy.exceptions().stream()
                        .map(exception -> new KubeconfigPolicy.Exemption(
                                exception.namespaceSelector(), Set.copyOf(exception.allow())))
                        .toList());
    }

    /** Addresses of this host's or pod's interfaces, and of its namespace's Services from the environment. */
    static Set<InetAddress> ownAddresses(Map<String, String> environment) throws IOException {
        Set<InetAddress> all = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .collect(Collectors.toSet());
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (variable.getKey().endsWith(SERVICE)
                    && !variable.getKey().equals(MANAGEMENT_SERVICE)
                    && IpAddress.parse(variable.getValue()) != null) {
                all.add(InetAddress.getByName(variable.getValue()));
            }
        }
        return all;
    }

    /** The management API server's addresses, which tenants must not use. */
    private static Set<InetSocketAddress> addresses(URI server) throws IOException {
        int port = server.getPort() < 0 ? HTTPS : server.getPort();
        try {
            return Arrays.stream(InetAddress.getAllByName(server.getHost()))
                    .map(address -> new InetSocketAddress(address, port))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (UnknownHostException e) {
            throw new IOException("cannot resolve the management cluster's host name " + server.getHost() + "", e);
        }
    }

    /** Name of the Secrets with kubeconfigs; empty outside of KKP mode. */
    private static String kkpSecret(HubConfiguration.Kkp kkp) {
        return kkp.namespace().isEmpty() ? "" : kkp.kubeconfig().secret();
    }
}
