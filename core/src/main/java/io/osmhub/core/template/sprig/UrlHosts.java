package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.template.sprig.UrlEscapes.Part;

/** The host of a URL, with its port, and the addresses it may consist of. */
final class UrlHosts {
    private static final int IPV6_GROUPS = 8;

    private UrlHosts() {}

    /** Host and port as they are meant: escapes are resolved, brackets stay. */
    static String parse(String host) throws CallFailure {
        int bracket = host.lastIndexOf('[');
        if (bracket > 0) {
            throw new CallFailure("invalid IP-literal");
        }
        if (bracket == 0) {
            return parseLiteral(host);
        }
        int colon = host.lastIndexOf(':');
        if (colon >= 0) {
            int first = host.indexOf(':');
            if (first < colon || !isPort(host.substring(colon))) {
                throw invalidPort(host.substring(first));
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
        if (isIpv4(address)) {
            throw new CallFailure("invalid IP-literal");
        }
        if (!isIpv6(address)) {
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

    static boolean isIpAddress(String text) {
        return isIpv4(text) || isIpv6(text);
    }

    private static CallFailure invalidPort(String port) {
        return new CallFailure("invalid port " + GoQuote.quote(port) + " after host");
    }

    private static boolean isPort(String text) {
        return text.isEmpty() || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }

    private static boolean isIpv4(String text) {
        String[] fields = text.split("\\.", -1);
        if (fields.length != 4) {
            return false;
        }
        for (String field : fields) {
            boolean number =
                    !field.isEmpty() && field.length() <= 3 && field.chars().allMatch(c -> c >= '0' && c <= '9');
            if (!number || (field.length() > 1 && field.charAt(0) == '0') || Integer.parseInt(field) > 255) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIpv6(String text) {
        int zone = text.indexOf('%');
        if (zone == text.length() - 1 && zone >= 0) {
            return false;
        }
        String address = zone >= 0 ? text.substring(0, zone) : text;
        int gap = address.indexOf("::");
        if (gap < 0) {
            return groups(address, true) == IPV6_GROUPS;
        }
        int before = gap == 0 ? 0 : groups(address.substring(0, gap), false);
        int after = gap + 2 == address.length() ? 0 : groups(address.substring(gap + 2), true);
        return before >= 0 && after >= 0 && before + after < IPV6_GROUPS;
    }

    /** How many groups of 16 bits; -1 when one of them is none. The last two may be written as an IPv4 address. */
    private static int groups(String text, boolean atEnd) {
        String[] groups = text.split(":", -1);
        int count = groups.length;
        if (atEnd && isIpv4(groups[count - 1])) {
            groups[count - 1] = "0";
            count++;
        }
        for (String group : groups) {
            if (group.isEmpty()
                    || group.length() > 4
                    || !group.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0)) {
                return -1;
            }
        }
        return count;
    }
}
