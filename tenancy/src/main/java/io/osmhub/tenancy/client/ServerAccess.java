package io.osmhub.tenancy.client;

import io.osmhub.core.model.Sensitive;
import java.net.InetAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where an API server is and how to sign in to it. Values only: nothing here names a file, a program or a variable.
 *
 * @param server scheme, host and port, and a path when the API is not at the root; without user, query and fragment
 * @param tlsName name that the server's certificate must have; empty for the host of {@code server}
 * @param address the only address to connect to, whatever the name means by now; null to ask the name service
 * @param proxy HTTP proxy to go through; null for none. It resolves the name by itself, so {@code address} has no effect
 */
public record ServerAccess(
        URI server,
        Trust trust,
        SignIn signIn,
        String tlsName,
        @Nullable InetAddress address,
        @Nullable URI proxy) {

    /** Which servers are believed. */
    public sealed interface Trust {
        /** Only those with a certificate that leads to one of these, and with the right name. */
        record Authorities(String pem) implements Trust {}

        /** Those that the Java runtime trusts. For the operator's own kubeconfig, never for a tenant's. */
        record Defaults() implements Trust {}

        /** Any; only where the operator said so. */
        record Anyone() implements Trust {}
    }

    /** Who the hub is to the server. */
    public sealed interface SignIn {
        record Token(Sensitive token) implements SignIn {}

        /** @param privateKeyPem fits the first certificate of {@code certificatePem}; not encrypted */
        record Certificate(String certificatePem, Sensitive privateKeyPem) implements SignIn {}

        /** Nobody, or whoever the interceptors of the management client say. */
        record Nobody() implements SignIn {}
    }

    /** The same server at another address. */
    public ServerAccess at(InetAddress other) {
        return new ServerAccess(server, trust, signIn, tlsName, other, proxy);
    }

    /** The same server through a proxy. */
    public ServerAccess through(URI otherProxy) {
        return new ServerAccess(server, trust, signIn, tlsName, null, otherProxy);
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

    /** Path before {@code /api}, without a slash at its end. */
    String basePath() {
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
