package io.osmhub.deploy.fleet;

import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a command connects to the hub and its management cluster.
 *
 * @param server the hub's API; null to reach it through the management cluster
 * @param tokenFile with the bearer token for the API; null for none
 * @param authorityFile certificate authorities of the API's server, PEM; null for the defaults
 * @param kubeconfig of the management cluster; null for the default locations
 * @param context of the kubeconfig; empty for the current one
 * @param impersonatedUser user to impersonate in the management cluster; empty for the kubeconfig's user
 * @param tunnel how to reach the hub through the management cluster
 * @param timeout of one request
 * @param requests receives one line per request, without credentials
 */
public record FleetEndpoint(
        @Nullable URI server,
        @Nullable Path tokenFile,
        @Nullable Path authorityFile,
        @Nullable Path kubeconfig,
        String context,
        String impersonatedUser,
        TunnelOptions tunnel,
        Duration timeout,
        Consumer<String> requests) {
    /**
     * How to reach the hub through the management cluster.
     *
     * @param hubNamespace namespace of the hub's pods
     * @param serviceAccount {@code NAMESPACE/NAME} whose token the API gets if there is no token file; empty for the default
     */
    public record TunnelOptions(String hubNamespace, String serviceAccount) {
        public static final TunnelOptions DEFAULT = new TunnelOptions("osm-hub", "");

        /** The chosen account, else {@code usual}, else the one that {@code hub login} creates. */
        String accountOr(String usual) {
            return !serviceAccount.isEmpty()
                    ? serviceAccount
                    : !usual.isEmpty() ? usual : hubNamespace + "/" + AccountCredential.VIEWER;
        }
    }

    /** A management cluster. */
    public static FleetEndpoint ofManagement(@Nullable Path kubeconfig, String context, Duration timeout) {
        return new FleetEndpoint(null, null, null, kubeconfig, context, "", TunnelOptions.DEFAULT, timeout, line -> {});
    }

    /** The hub's API. Through the management cluster, this finds a pod of the hub. */
    public HubClient openHub() {
        return HubClient.open(this);
    }

    /** The registrations: through the API's URL if one is given, otherwise in the management cluster. */
    public RegistrationClient openRegistrations() {
        return server == null ? ManagementClient.open(this) : HubClient.open(this);
    }

    ManagementAccess management() {
        try {
            ManagementAccess access = kubeconfig == null
                    ? ManagementAccess.ofEnvironment(context)
                    : ManagementAccess.ofKubeconfig(kubeconfig, context);
            return impersonatedUser.isEmpty() ? access : access.as(impersonatedUser);
        } catch (IOException e) {
            throw CommandFailure.unusable(String.valueOf(e.getMessage()));
        }
    }

    RequestObserver observer(ManagementAccess access) {
        return (verb, resource, failure, took) -> requests.accept(verb.name().toLowerCase(Locale.ROOT)
                + (resource == null ? "" : " " + resource.plural()) + " at " + access.server() + ": "
                + (failure == null
                        ? "ok"
                        : failure.kind() == ApiFailure.ApiFailureKind.ANSWERED ? failure.code() : "no answer")
                + ", " + took.toMillis() + " ms");
    }
}
