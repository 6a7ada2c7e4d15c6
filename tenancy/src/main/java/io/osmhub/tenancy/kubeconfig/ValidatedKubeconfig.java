package io.osmhub.tenancy.kubeconfig;

import java.net.InetAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that clients use of a kubeconfig. Its resolved address still needs {@link EgressPolicy#check}.
 *
 * @param server https, in lower case, without user, query, fragment and trailing slash; may have a path, for a proxy of API
 *     servers
 * @param host of {@code server}: a name without trailing dot, or a canonical address without brackets
 * @param port defaults to 443
 * @param certificateAuthorityPem at least one certificate; null only with {@code insecureSkipTlsVerify}
 * @param insecureSkipTlsVerify whether server verification is disabled, as the policy allows
 * @param proxy http or https; null if there is none. Its address needs the same check as the server's
 * @param validFrom start of the certificate's or token's validity; null if unknown
 * @param expiresAt its end, possibly in the past; null if unknown
 * @param contextName name of the selected context
 * @param userName of the context, as the kubeconfig calls it
 * @param contentHash of everything that a connection depends on, 64 hexadecimal digits. Includes the credential, so use it only
 *     for comparisons and do not show it
 */
public record ValidatedKubeconfig(
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
        String userName,
        String contentHash) {

    /** The server's address if it is not a host name; does not use DNS. */
    public Optional<InetAddress> literalAddress() {
        return AddressClassifier.literal(host);
    }
}
