package io.osmhub.core.model;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Host and port of a URL, as written there; an IPv6 address is in brackets. Empty for a URL without them. */
public record UrlHost(String hostAndPort) {
    /** Null if the text is not a URL or has an invalid host or port. A host name may have underscores. */
    public static @Nullable UrlHost parse(String url) {
        try {
            String authority = new URI(url).getRawAuthority();
            UrlHost host = new UrlHost(authority == null ? "" : authority.substring(authority.lastIndexOf('@') + 1));
            boolean hasEscapes = host.hostAndPort.indexOf('%') >= 0 && !host.hostAndPort.startsWith("[");
            boolean hasPortNumber = host.port().chars().allMatch(c -> c >= '0' && c <= '9');
            return hasEscapes || !hasPortNumber ? null : host;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** The host without brackets. */
    public String name() {
        String host = hostAndPort.substring(0, portColon() < 0 ? hostAndPort.length() : portColon());
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** The port's digits; empty if none. */
    public String port() {
        return portColon() < 0 ? "" : hostAndPort.substring(portColon() + 1);
    }

    private int portColon() {
        int colon = hostAndPort.lastIndexOf(':');
        return colon > hostAndPort.lastIndexOf(']') ? colon : -1;
    }
}
