package io.osmhub.core.schema;

import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.UrlHost;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL, as far as the hub's rules use them, with equal results: {@code isIP} of Kubernetes
 * 1.31, {@code isURL} and {@code url(...).getHostname()}.
 */
public final class CelFunctions {
    private CelFunctions() {}

    /** IPv4 in four decimal parts without leading zeros, or IPv6 without a zone and not IPv4-mapped. */
    public static boolean isIp(String text) {
        IpAddress address = IpAddress.parse(text);
        return address != null && !(text.indexOf(':') >= 0 && address.isV4());
    }

    /** Whether the text is an absolute URL or an absolute path. */
    public static boolean isUrl(String text) {
        return hostOfUrl(text) != null;
    }

    /** The host of an absolute URL, without port and brackets, empty if none; null if it is not a URL. */
    public static @Nullable String hostOfUrl(String text) {
        // CEL has no fragments: after the authority a # is part of the path, in it an error.
        UrlHost host = UrlHost.parse(text.replace("#", "%23"));
        boolean isAbsolute = text.startsWith("/") || text.indexOf(":/") >= 0 && text.indexOf(":/") < text.indexOf('/');
        return host == null || !isAbsolute ? null : host.name();
    }
}
