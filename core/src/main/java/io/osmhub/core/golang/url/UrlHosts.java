package io.osmhub.core.golang.url;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.url.UrlEscapes.Part;
import io.osmhub.core.golang.wellknown.IpText;

/** The host of a URL, with its port, and the addresses it may consist of. */
final class UrlHosts {
    private UrlHosts() {}

    /** Host and port as they are meant: escapes are resolved, brackets stay. For HTTP a host has no colons of its own. */
    static String parse(String host, String scheme) throws CallFailure {
        int bracket = host.lastIndexOf('[');
        if (bracket > 0) {
            throw new CallFailure("invalid IP-literal");
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
        return UrlEscapes.unescape(host, Part.HOST);
    }

    private static String parseLiteral(String host) throws CallFailure {
        int close = host.lastIndexOf(']');
        if (close < 0) {
            throw new CallFailure("missing ']' in host");
        }
        String port = host.substring(close + 1);
        if (!isPort(port)) {
            throw invalidPort(port);
        }
        String literal = host.substring(1, close);
        int zone = literal.indexOf("%25");
        String address = zone < 0
                ? UrlEscapes.unescape(literal, Part.HOST)
                : UrlEscapes.unescape(literal.substring(0, zone), Part.HOST)
                        + UrlEscapes.unescape(literal.substring(zone), Part.ZONE);
        boolean v6 = address.indexOf(':') >= 0;
        if (!v6 && IpText.parseShort(address) != null) {
            throw new CallFailure("invalid IP-literal");
        }
        int zoneMark = address.indexOf('%');
        String bare = zoneMark < 0 ? address : address.substring(0, zoneMark);
        if (!v6 || IpText.parseShort(bare) == null || zoneMark == address.length() - 1) {
            throw new CallFailure("invalid host: ParseAddr(" + GoQuote.quote(address) + "): unable to parse IP");
        }
        return "[" + address + "]" + port;
    }

    /** The host without port and brackets. */
    static String name(String host) {
        int colon = host.lastIndexOf(':');
        String name = colon >= 0 && isPort(host.substring(colon)) ? host.substring(0, colon) : host;
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    private static CallFailure invalidPort(String port) {
        return new CallFailure("invalid port " + GoQuote.quote(port) + " after host");
    }

    private static boolean isPort(String text) {
        return text.isEmpty() || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }
}
