package io.osmhub.core.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL, as far as our rules call them, with the same answers: {@code isIP} of
 * Kubernetes 1.31, {@code isURL} and {@code url(...).getHostname()}.
 */
public final class CelFunctions {
    private static final String UNRESERVED_IN_HOST = "!$&'()*+,;=:[]<>\"-_.~";

    private CelFunctions() {}

    /** IPv4 in four decimal parts without leading zeros, or IPv6 without a zone and not an IPv4 in disguise. */
    public static boolean isIp(String text) {
        return text.indexOf(':') < 0 ? isIpv4(text) : isIpv6(text);
    }

    private static boolean isIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return false;
        }
        for (String part : parts) {
            boolean digits =
                    !part.isEmpty() && part.length() <= 3 && part.chars().allMatch(c -> c >= '0' && c <= '9');
            if (!digits || (part.length() > 1 && part.charAt(0) == '0') || Integer.parseInt(part) > 255) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIpv6(String text) {
        int gap = text.indexOf("::");
        List<Integer> left = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        List<Integer> right = gap < 0 ? List.of() : groups(text.substring(gap + 2), true);
        if (left == null || right == null) {
            return false;
        }
        // The gap stands for at least one group of zeros.
        int missing = 8 - left.size() - right.size();
        if (gap < 0 ? missing != 0 : missing < 1) {
            return false;
        }
        List<Integer> all = new ArrayList<>(left);
        all.addAll(Collections.nCopies(missing, 0));
        all.addAll(right);
        boolean ipv4InDisguise = all.subList(0, 6).equals(List.of(0, 0, 0, 0, 0, 0xffff));
        return !ipv4InDisguise;
    }

    /** The 16-bit groups of a part of an IPv6 address, where a dotted IPv4 at the end counts two; null when one is wrong. */
    private static @Nullable List<Integer> groups(String text, boolean mayEndInIpv4) {
        List<Integer> groups = new ArrayList<>();
        String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i];
            if (mayEndInIpv4 && i == parts.length - 1 && isIpv4(part)) {
                String[] bytes = part.split("\\.", -1);
                groups.add(Integer.parseInt(bytes[0]) << 8 | Integer.parseInt(bytes[1]));
                groups.add(Integer.parseInt(bytes[2]) << 8 | Integer.parseInt(bytes[3]));
            } else if (!part.isEmpty() && part.length() <= 4 && part.chars().allMatch(CelFunctions::isHex)) {
                groups.add(Integer.parseInt(part, 16));
            } else {
                return null;
            }
        }
        return groups;
    }

    /** Whether the text is an absolute URL or an absolute path. */
    public static boolean isUrl(String text) {
        return hostOfUrl(text) != null;
    }

    /** The host of an absolute URL, without port and brackets, empty when it has none; null when it is no URL. */
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

    /** Index of the colon after the scheme; -1 when the text has no scheme; 0 when it begins with a colon. */
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
        // Only bytes outside ASCII may be escaped in a host.
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
