package io.osmhub.core.schema;

import io.osmhub.core.model.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL, as far as the hub's rules use them, with equal results: {@code isIP} of Kubernetes
 * 1.31, {@code isURL} and {@code url(...).getHostname()}.
 */
public final class CelFunctions {
    private static final String UNRESERVED_IN_HOST = "!$&'()*+,;=:[]<>\"-_.~";

    private CelFunctions() {}

    /** IPv4 in four decimal parts without leading zeros, or IPv6 without a zone and not IPv4-mapped. */
    public static boolean isIp(String text) {
        IpAddress address = IpAddress.parse(text);
        return address != null && !(text.indexOf(':') >= 0 && address.isV4());
    }

    private static boolean isIpv6(String text) {
        return text.indexOf(':') >= 0 && IpAddress.parse(text) != null;
    }

    /** Whether the text is an absolute URL or an absolute path. */
    public static boolean isUrl(String text) {
        return hostOfUrl(text) != null;
    }

    /** The host of an absolute URL, without port and brackets, empty if none; null if it is not a URL. */
    public static @Nullable String hostOfUrl(String text) {
        if (text.isEmpty() || text.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
            return null;
        }
        int colon = schemeEnd(text);
        if (colon == 0) {
            return null;
        }
        String rest = text.substring(colon + 1);
        int query = rest.indexOf('?');
        String hierarchy = query < 0 ? rest : rest.substring(0, query);
        if (!hierarchy.startsWith("/")) {
            return null;
        }
        boolean authority = hierarchy.startsWith("//") && (colon > 0 || !hierarchy.startsWith("///"));
        if (!authority) {
            return isEscaped(hierarchy) ? "" : null;
        }
        int slash = hierarchy.indexOf('/', 2);
        String path = slash < 0 ? "" : hierarchy.substring(slash);
        return isEscaped(path) ? hostOfAuthority(hierarchy.substring(2, slash < 0 ? hierarchy.length() : slash)) : null;
    }

    /** Index of the colon after the scheme; -1 without a scheme; 0 if the text begins with a colon. */
    private static int schemeEnd(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (c == ':') {
                return i;
            }
            if (!letter && (!other || i == 0)) {
                return -1;
            }
        }
        return -1;
    }

    private static @Nullable String hostOfAuthority(String authority) {
        int at = authority.lastIndexOf('@');
        if (at >= 0 && !isUserInfo(authority.substring(0, at))) {
            return null;
        }
        String host = authority.substring(at + 1);
        int portAt = host.lastIndexOf(':');
        if (host.startsWith("[")) {
            int close = host.lastIndexOf(']');
            boolean right = close > 0
                    && isPortOrNothing(host.substring(close + 1))
                    && isIpv6(host.substring(1, close).replaceFirst("%25.*", ""));
            return right ? host.substring(1, close) : null;
        }
        if (host.indexOf('[') > 0 || (portAt >= 0 && !isPortOrNothing(host.substring(portAt)))) {
            return null;
        }
        String name = portAt < 0 ? host : host.substring(0, portAt);
        return isHostName(name) ? name : null;
    }

    private static boolean isPortOrNothing(String text) {
        return text.isEmpty() || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }

    private static boolean isUserInfo(String text) {
        return isEscaped(text) && text.chars().allMatch(c -> isAlphanumeric(c) || "-._:~!$&'()*+,;=%@".indexOf(c) >= 0);
    }

    private static boolean isHostName(String text) {
        // Only non-ASCII bytes may be escaped in a host.
        for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
            if (i + 2 >= text.length()
                    || "89abcdefABCDEF".indexOf(text.charAt(i + 1)) < 0
                    || !isHex(text.charAt(i + 2))) {
                return false;
            }
        }
        return text.chars()
                .allMatch(c -> c >= 0x80 || isAlphanumeric(c) || c == '%' || UNRESERVED_IN_HOST.indexOf(c) >= 0);
    }

    /** Whether each percent sign is followed by two hexadecimal digits. */
    private static boolean isEscaped(String text) {
        for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
            if (i + 2 >= text.length() || !isHex(text.charAt(i + 1)) || !isHex(text.charAt(i + 2))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}
