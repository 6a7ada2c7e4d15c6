package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpAddress;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL that says the same to every reader. What one library takes for a name and another for an address (numbers in octal or
 * hexadecimal, escapes, zones, other alphabets) is refused, so that what is checked is what is connected to.
 */
record ServerAddress(URI uri, String host, int port) {
    private static final int LONGEST = 2048;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=:@-]+");

    /** What is wrong with a URL, without its text: it may hold a password. */
    record Wrong(String what, String cure) {}

    /** A URL or what is wrong with it: one of both is null. */
    record Reading(
            @Nullable ServerAddress address, @Nullable Wrong wrong) {}

    /** Reads the URL of an API server. */
    static Reading server(String text) {
        return read(text, "https");
    }

    /** Reads the URL of a proxy, which may be reached without TLS: what goes through it is encrypted already. */
    static Reading proxy(String text) {
        return text.regionMatches(true, 0, "http://", 0, 7) ? read(text, "http") : read(text, "https");
    }

    private static Reading read(String text, String scheme) {
        if (text.length() > LONGEST) {
            return wrong("is longer than 2,048 characters", "write a URL like https://api.example.org:6443");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7e) {
                return wrong(
                        "has a character beyond ASCII",
                        "write the host name in its ASCII form (xn--...), or correct it");
            }
            if (c <= 0x20 || c == '\\' || c == 0x7f) {
                return wrong("has a blank, a control character or a backslash", "remove it");
            }
        }
        String start = scheme + "://";
        if (!text.regionMatches(true, 0, start, 0, start.length())) {
            boolean plain = text.regionMatches(true, 0, "http://", 0, 7);
            return wrong(
                    plain ? "is http, which would show the credential" : "is not an https URL",
                    "write a URL like https://api.example.org:6443");
        }
        String rest = text.substring(start.length());
        int end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String path = rest.substring(end).replaceFirst("/+$", "");
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            return wrong("has a query or a fragment", "end it after the path");
        }
        if (!path.isEmpty() && !isPlain(path.substring(1))) {
            return wrong(
                    "has a path with an empty, a dotted or an escaped part", "write the path plainly, or leave it out");
        }
        return authority(scheme, rest.substring(0, end), path);
    }

    private static boolean isPlain(String path) {
        for (String segment : path.split("/", -1)) {
            if (!SEGMENT.matcher(segment).matches() || segment.equals(".") || segment.equals("..")) {
                return false;
            }
        }
        return true;
    }

    private static Reading authority(String scheme, String authority, String path) {
        if (authority.indexOf('@') >= 0) {
            return wrong("holds a user or password", "leave out everything before @, and give a token");
        }
        int colon = authority.lastIndexOf(':');
        boolean bracketed = authority.startsWith("[");
        String host = authority;
        String port = "";
        if (colon > authority.lastIndexOf(']')) {
            host = authority.substring(0, colon);
            port = authority.substring(colon + 1);
            if (port.isEmpty()) {
                return wrong("has no port after the colon", "write one of 1 to 65535");
            }
        }
        int number = port.isEmpty() ? (scheme.equals("https") ? 443 : 80) : portNumber(port);
        if (number < 1) {
            return wrong("has a port that is none", "write one of 1 to 65535");
        }
        String canonical = bracketed ? bracketedAddress(host) : nameOrAddress(host.toLowerCase(Locale.ROOT));
        if (canonical == null) {
            return wrong(
                    "names neither a host nor an IP address",
                    "write a name, four decimal numbers, or an IPv6 address in brackets without a zone");
        }
        String written = canonical.indexOf(':') >= 0 ? "[" + canonical + "]" : canonical;
        URI uri = URI.create(scheme + "://" + written + (port.isEmpty() ? "" : ":" + number) + path);
        return new Reading(new ServerAddress(uri, canonical, number), null);
    }

    private static int portNumber(String text) {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
            if (value > 65_535) {
                return -1;
            }
        }
        return value;
    }

    private static @Nullable String bracketedAddress(String host) {
        if (!host.endsWith("]") || host.indexOf(':') < 0) {
            return null;
        }
        IpAddress address = IpAddress.parse(host.substring(1, host.length() - 1));
        return address == null ? null : address.toString();
    }

    private static @Nullable String nameOrAddress(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (name.isEmpty() || name.length() > 253) {
            return null;
        }
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (NUMBER.matcher(last).matches()) {
            IpAddress address = name.indexOf(':') < 0 ? IpAddress.parse(name) : null;
            return address == null ? null : address.toString();
        }
        for (String label : name.split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                return null;
            }
        }
        return name;
    }

    private static Reading wrong(String what, String cure) {
        return new Reading(null, new Wrong(what, cure));
    }
}
