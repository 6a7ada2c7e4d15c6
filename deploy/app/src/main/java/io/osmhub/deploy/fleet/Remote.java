package io.osmhub.deploy.fleet;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a command reaches the fleet.
 *
 * @param server the hub's API; null to go straight to the management cluster
 * @param tokenFile with the bearer token for the API; null for none
 * @param authorityFile certificate authorities of the API's server, PEM; null for those of the runtime
 * @param kubeconfig of the management cluster; null for the usual places
 * @param context of the kubeconfig; empty for the current one
 * @param as whom the management cluster is asked for; empty for the kubeconfig's user
 * @param timeout of one request
 * @param requests hears of each request in a line without any credential
 */
public record Remote(
        @Nullable URI server,
        @Nullable Path tokenFile,
        @Nullable Path authorityFile,
        @Nullable Path kubeconfig,
        String context,
        String as,
        Duration timeout,
        Consumer<String> requests) {
    /** Straight to a management cluster. */
    public static Remote straight(@Nullable Path kubeconfig, String context, Duration timeout) {
        return new Remote(null, null, null, kubeconfig, context, "", timeout, line -> {});
    }

    /** Opens the fleet; nothing is asked of it yet. */
    public FleetSource open() throws FleetFailure {
        return server == null ? DirectFleet.open(this) : RestFleet.open(this, server);
    }
}
