package io.osmhub.deploy.run;

import io.osmhub.core.model.IpAddress;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.tenancy.HubSettings;
import io.osmhub.tenancy.crds.InstallPolicy;
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

/** What the hub's core wants to know of the configuration. */
final class Settings {
    private static final int HTTPS = 443;
    private static final String SERVICE = "_SERVICE_HOST";
    // Refused by another rule, with its port.
    private static final String MANAGEMENT_SERVICE = "KUBERNETES_SERVICE_HOST";

    private final Set<InetSocketAddress> managementApi;
    private final Set<InetAddress> own;
    private final boolean single;

    /** @param server URL of the management cluster's API server; its name is resolved */
    Settings(URI server, Map<String, String> environment, boolean single) throws IOException {
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
                switch (tenancy.installCrds()) {
                    case IF_ABSENT -> InstallPolicy.IF_ABSENT;
                    case UPGRADE -> InstallPolicy.UPGRADE;
                    case NEVER -> InstallPolicy.NEVER;
                },
                tenancy.discovery(),
                tenancy.onSecretDeleted() == HubConfiguration.OnSecretDeleted.PAUSE ? null : tenancy.removalDelay(),
                configuration.defaults(),
                configuration.kubeconfigPolicy(),
                managementApi,
                own,
                configuration.render().compiledProfiles(),
                configuration.management().statusesPerSecond());
    }

    /** Of the interfaces of this host or pod, and of the Services of its namespace, which Kubernetes writes into the environment. */
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

    /** Where the management cluster's API server is, so that no tenant can name it. */
    private static Set<InetSocketAddress> addresses(URI server) throws IOException {
        int port = server.getPort() < 0 ? HTTPS : server.getPort();
        try {
            return Arrays.stream(InetAddress.getAllByName(server.getHost()))
                    .map(address -> new InetSocketAddress(address, port))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (UnknownHostException e) {
            throw new IOException("the management cluster's name " + server.getHost() + " has no address", e);
        }
    }
}
