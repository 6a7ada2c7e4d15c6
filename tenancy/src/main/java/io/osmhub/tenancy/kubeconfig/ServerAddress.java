package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpAddress;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL that every parser reads alike. Forms that one library takes for a name and another for an address (octal or hexadecimal
 * numbers, escapes, zones, other alphabets) are rejected, so that the checked address is the one connected to.
 */
record ServerAddress(URI uri, String host, int port) {
    private static final int LONGEST = 2048;
    private static final int LONGEST_NAME = 253;
    private static final int LARGEST_PORT = 65_535;
    private static final String EXAMPLE = "write a URL like https://api.example.org:6443";

    private static final Pattern TEXT = Pattern.compile("[!-~&&[^\\\\]]*");
    private static final Pattern URL = Pattern.compile("(?i)(https?)://([^/?#]*)([^?#]*?)/*");
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:\\[([^]\\[:]*+:[^]\\[]*+)]|([^]:\\[]+))(?::([0-9]{1,5}))?");
    private static final Pattern PATH = Pattern.compile("(?:/(?!\\.\\.?(?:/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)*");
    private static final Pattern NAME =
            Pattern.compile("(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]++|0x[0-9a-f]*+");

    /**
     * Parses the URL of an API server, or of a proxy, which may use http: the traffic through it is encrypted.
     *
     * @throws InvalidValueException without the URL's text, which may contain a password
     */
    static ServerAddress parse(String text, boolean proxy) throws InvalidValueException {
        if (text.length() > LONGEST) {
            throw new InvalidValueException("is longer than 2,048 characters", EXAMPLE);
        }
        if (!TEXT.matcher(text).matches()) {
            throw new InvalidValueException(
                    "contains a blank, a backslash, a control or a non-ASCII character",
                    "remove it; write the host name in ASCII (xn--...)");
        }
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            boolean extended = text.indexOf('?') >= 0 || text.indexOf('#') >= 0;
            throw new InvalidValueException(
                    extended ? "has a query or a fragment" : "is not an https URL",
                    extended ? "end it after the path" : EXAMPLE);
        }
        String scheme = url.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("http") && !proxy) {
            throw new InvalidValueException("is http, which would expose the credential", EXAMPLE);
        }
        if (url.group(2).indexOf('@') >= 0) {
            throw new InvalidValueException(
                    "contains a user or password", "remove everything before @, and use a token");
        }
        if (!PATH.matcher(url.group(3)).matches()) {
            throw new InvalidValueException(
                    "has a path with an empty, dotted or escaped segment", "write a plain path, or remove it");
        }
        Matcher authority = AUTHORITY.matcher(url.group(2));
        String host = authority.matches() ? host(authority.group(1), authority.group(2)) : null;
        String port = host == null || authority.group(3) == null ? "" : authority.group(3);
        int number = port.isEmpty() ? (scheme.equals("https") ? 443 : 80) : Integer.parseInt(port);
        if (host == null || number < 1 || number > LARGEST_PORT) {
            throw new InvalidValueException(
                    "has no valid host or port",
                    "write a name, an IPv4 address, or an IPv6 address in brackets without a zone, and a port of 1 to 65535");
        }
        String written = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        URI uri = URI.create(scheme + "://" + written + (port.isEmpty() ? "" : ":" + number) + url.group(3));
        return new ServerAddress(uri, host, number);
    }

    /** The canonical host; null if invalid. */
    private static @Nullable String host(@Nullable String bracketed, @Nullable String plain) {
        String name = plain == null ? "" : plain.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        if (bracketed == null
                && !NUMBER.matcher(name.substring(name.lastIndexOf('.') + 1)).matches()) {
            return name.length() <= LONGEST_NAME && NAME.matcher(name).matches() ? name : null;
        }
        IpAddress address = IpAddress.parse(bracketed == null ? name : bracketed);
        return address == null ? null : address.toString();
    }
}
