package io.osmhub.deploy.fleet;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a command connects to the fleet.
 *
 * @param server the hub's API; null to use the management cluster directly
 * @param tokenFile with the bearer token for the API; null for none
 * @param authorityFile certificate authorities of the API's server, PEM; null for Java's defaults
 * @param kubeconfig of the management cluster; null for the default locations
 * @param context of the kubeconfig; empty for the current one
 * @param impersonatedUser user to impersonate in the management cluster; empty for the kubeconfig's user
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
        Duration timeout,
        Consumer<String> requests) {
    /** Direct access to a management cluster. */
    public static FleetEndpoint direct(@Nullable Path kubeconfig, String context, Duration timeout) {
        return new FleetEndpoint(null, null, null, kubeconfig, context, "", timeout, line -> {});
    }

    /** Opens the fleet without sending a request. */
    public FleetSource open() throws FleetFailure {
        return server == null ? DirectFleet.open(this) : RestFleet.open(this, server);
    }
}
