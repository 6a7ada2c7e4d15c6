package io.osmhub.tenancy.kubeconfig;

import java.net.InetAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that a client may know of a kubeconfig. Its address is not proven yet: {@link EgressPolicy} does that once it is
 * resolved.
 *
 * @param server https, in lower case, without user, query, fragment and slash at its end; with a path for a proxy of API servers
 * @param host of {@code server}: a name without a dot at its end, or an address in its usual form without brackets
 * @param port 443 when the server names none
 * @param certificateAuthorityPem at least one certificate; null only with {@code insecureSkipTlsVerify}
 * @param insecureSkipTlsVerify whether the policy allowed not to verify the server
 * @param proxy http or https; null unless the policy allowed one. Its address needs the same check as the server's
 * @param validFrom when the certificate or token began to be valid; null when it does not say
 * @param expiresAt when it ends, also when that has passed; null when it does not say
 * @param contextName name of the context that was taken, and of its cluster and user
 * @param namespace that the context names; empty when it names none
 * @param contentHash of everything a connection depends on, 64 hexadecimal digits: another one means another connection.
 *     Made from the credential too, so it is for comparing and not for showing
 */
public record VettedKubeconfig(
        URI server,
        String host,
        int port,
        @Nullable String certificateAuthorityPem,
        WorkerCredential credential,
        boolean insecureSkipTlsVerify,
        @Nullable URI proxy,
        @Nullable Instant validFrom,
        @Nullable Instant expiresAt,
        String contextName,
        String clusterName,
        String userName,
        String namespace,
        String contentHash) {

    /** The address when the server names one instead of a host name; no name service is asked. */
    public Optional<InetAddress> literalAddress() {
        return Addresses.literal(host);
    }
}
