package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpAddress;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL that every parser reads alike. Forms that one library takes for a name and another for an address (octal or hexadecimal
 * numbers, escapes, zones, other alphabets) are rejected, so that the checked address is the one connected to.
 */
record ServerAddress(URI uri, String host, int port) {
    private static final int LONGEST = 2048;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=:@-]+");

    /** Omits the URL's text, which may contain a password. */
    record AddressError(String what, String cure) {}

    /** A URL or an error; the other one is null. */
    record ParsedAddress(
            @Nullable ServerAddress address, @Nullable AddressError wrong) {}

    /** Parses the URL of an API server. */
    static ParsedAddress server(String text) {
        return read(text, "https");
    }

    /** Parses the URL of a proxy, which may use http: the traffic through it is encrypted. */
    static ParsedAddress proxy(String text) {
        return text.regionMatches(true, 0, "http://", 0, 7) ? read(text, "http") : read(text, "https");
    }

    private static ParsedAddress read(String text, String scheme) {
        if (text.length() > LONGEST) {
            return wrong("is longer than 2,048 characters", "write a URL like https://api.example.org:6443");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7e) {
                return wrong("contains a non-ASCII character", "write the host name in ASCII (xn--...)");
            }
            if (c <= 0x20 || c == '\\' || c == 0x7f) {
                return wrong("contains a blank, a control character or a backslash", "remove it");
            }
        }
        String start = scheme + "://";
        if (!text.regionMatches(true, 0, start, 0, start.length())) {
            boolean plain = text.regionMatches(true, 0, "http://", 0, 7);
            return wrong(
                    plain ? "is http, which would expose the credential" : "is not an https URL",
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
            return wrong("has a path with an empty, dotted or escaped segment", "write a plain path, or remove it");
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

    private static ParsedAddress authority(String scheme, String authority, String path) {
        if (authority.indexOf('@') >= 0) {
            return wrong("contains a user or password", "remove everything before @, and use a token");
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
            return wrong("has an invalid port", "write one of 1 to 65535");
        }
        String canonical = bracketed ? bracketedAddress(host) : nameOrAddress(host.toLowerCase(Locale.ROOT));
        if (canonical == null) {
            return wrong(
                    "has no valid host name or IP address",
                    "write a name, an IPv4 address, or an IPv6 address in brackets without a zone");
        }
        String written = canonical.indexOf(':') >= 0 ? "[" + canonical + "]" : canonical;
        URI uri = URI.create(scheme + "://" + written + (port.isEmpty() ? "" : ":" + number) + path);
        return new ParsedAddress(new ServerAddress(uri, canonical, number), null);
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

    private static ParsedAddress wrong(String what, String cure) {
        return new ParsedAddress(null, new AddressError(what, cure));
    }
}
