package io.osmhub.core.golang.url;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.url.UrlEscaping.Part;
import io.osmhub.core.golang.wellknown.IpAddressFormat;

/** The host of a URL, with its port, and IP literals. */
final class UrlHostParser {
    private UrlHostParser() {}

    /** Host and port with escapes resolved and brackets kept. For HTTP a host without brackets has no colons. */
    static String parse(String host, String scheme) throws GoCallException {
        int bracket = host.lastIndexOf('[');
        if (bracket > 0) {
            throw new GoCallException("invalid IP-literal");
        }
        if (bracket == 0) {
            return parseLiteral(host);
        }
        int colon = host.lastIndexOf(':');
        if (colon >= 0) {
            boolean strict = scheme.equals("http") || scheme.equals("https");
            String port = host.substring(strict ? host.indexOf(':') : colon);
            if (!isPort(port)) {
                throw invalidPort(port);
            }
        }
        return UrlEscaping.unescape(host, Part.HOST);
    }

    private static String parseLiteral(String host) throws GoCallException {
        int close = host.lastIndexOf(']');
        if (close < 0) {
            throw new GoCallException("missing ']' in host");
        }
        String port = host.substring(close + 1);
        if (!isPort(port)) {
            throw invalidPort(port);
        }
        String literal = host.substring(1, close);
        int zone = literal.indexOf("%25");
        String address = zone < 0
                ? UrlEscaping.unescape(literal, Part.HOST)
                : UrlEscaping.unescape(literal.substring(0, zone), Part.HOST)
                        + UrlEscaping.unescape(literal.substring(zone), Part.ZONE);
        boolean v6 = address.indexOf(':') >= 0;
        if (!v6 && IpAddressFormat.parseShort(address) != null) {
            throw new GoCallException("invalid IP-literal");
        }
        int zoneMark = address.indexOf('%');
        String bare = zoneMark < 0 ? address : address.substring(0, zoneMark);
        if (!v6 || IpAddressFormat.parseShort(bare) == null || zoneMark == address.length() - 1) {
            throw new GoCallException("invalid host: ParseAddr(" + GoQuote.quote(address) + "): unable to parse IP");
        }
        return "[" + address + "]" + port;
    }

    /** The host without port and brackets. */
    static String name(String host) {
        int colon = host.lastIndexOf(':');
        String name = colon >= 0 && isPort(host.substring(colon)) ? host.substring(0, colon) : host;
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    private static GoCallException invalidPort(String port) {
        return new GoCallException("invalid port " + GoQuote.quote(port) + " after host");
    }

    private static boolean isPort(String text) {
        return text.isEmpty() || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }
}
