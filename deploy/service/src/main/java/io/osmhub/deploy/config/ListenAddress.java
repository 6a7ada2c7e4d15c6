package io.osmhub.deploy.config;

import io.osmhub.core.model.IpAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A listen address.
 *
 * @param host name or address without brackets; empty for all addresses
 * @param port 0 for any free port
 */
public record ListenAddress(String host, int port) {
    /** Parses {@code :8080}, {@code 127.0.0.1:8080} or {@code [::1]:8080}. Returns null if invalid. */
    static @Nullable ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        int port = port(text.substring(colon + 1));
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
            if (IpAddress.parse(host) == null) {
                return null;
            }
        } else if (host.indexOf(':') >= 0 || host.codePoints().anyMatch(c -> c <= ' ' || c == '/' || c > '~')) {
            return null;
        }
        return port < 0 ? null : new ListenAddress(host, port);
    }

    /** As {@link #parse}; empty if invalid. */
    public static Optional<ListenAddress> of(String text) {
        return Optional.ofNullable(parse(text));
    }

    private static int port(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
        return port > 65_535 ? -1 : port;
    }

    /** Whether the two addresses cannot both be bound. */
    boolean collidesWith(ListenAddress other) {
        boolean sameHost = host.equals(other.host) || isEvery() || other.isEvery();
        return port == other.port && port != 0 && sameHost;
    }

    private boolean isEvery() {
        return host.isEmpty() || host.equals("0.0.0.0") || host.equals("::");
    }

    /** In file syntax. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
