package io.osmhub.tenancy.client;

import io.osmhub.core.model.Sensitive;
import java.net.InetAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Address and credentials of an API server. Values only: no file, program or variable.
 *
 * @param server scheme, host and port, and a path if the API is not at the root; without user, query and fragment
 * @param tlsName name that the server's certificate must have; empty for the host of {@code server}
 * @param address the only address to connect to, regardless of DNS; null to use DNS
 * @param proxy HTTP proxy; null for none. The proxy resolves the name, so {@code address} has no effect
 */
public record ServerAccess(
        URI server,
        ServerTrustPolicy trust,
        Authentication authentication,
        String tlsName,
        @Nullable InetAddress address,
        @Nullable URI proxy) {

    public sealed interface ServerTrustPolicy {
        /** Only certificates issued by these authorities, with the right name. */
        record Authorities(String pem) implements ServerTrustPolicy {}

        /** The Java runtime's authorities. For the operator's own kubeconfig, never for a tenant's. */
        record Defaults() implements ServerTrustPolicy {}

        /** Any certificate; only if the operator configured it. */
        record Insecure() implements ServerTrustPolicy {}
    }

    /** How the hub authenticates to the server. */
    public sealed interface Authentication {
        record Token(Sensitive token) implements Authentication {}

        /** @param privateKeyPem matches the first certificate of {@code certificatePem}; not encrypted */
        record Certificate(String certificatePem, Sensitive privateKeyPem) implements Authentication {}

        /** No credential, or one that the management client's interceptors add. */
        record Anonymous() implements Authentication {}
    }

    public ServerAccess at(InetAddress other) {
        return new ServerAccess(server, trust, authentication, tlsName, other, proxy);
    }

    public ServerAccess through(URI otherProxy) {
        return new ServerAccess(server, trust, authentication, tlsName, null, otherProxy);
    }

    /** Some servers repeat what they were sent in their messages. */
    String redact(String text) {
        return authentication instanceof Authentication.Token(var token)
                ? CredentialRedactor.redact(text, token)
                : text;
    }

    /** Host without the brackets of an IPv6 address. */
    String host() {
        String host = server.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    int port() {
        return server.getPort() >= 0 ? server.getPort() : tls() ? 443 : 80;
    }

    boolean tls() {
        return "https".equals(server.getScheme());
    }

    /** Path before {@code /api}, without a trailing slash. */
    String basePath() {
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
