package io.osmhub.core.golang.url;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.url.GoUrl.UrlEscaping.Part;
import io.osmhub.core.golang.wellknown.IpAddressFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A parsed URL, with the rules and messages of Go's {@code net/url}. All parts but query and opaque are unescaped; {@code user} is
 * null if none.
 */
public record GoUrl(
        String scheme, String opaque, @Nullable User user, String host, String path, String query, String fragment) {
    /** {@code password} is null if none. */
    public record User(String name, @Nullable String password) {
        @Override
        public String toString() {
            String escaped = UrlEscaping.escape(name, Part.USER_INFO);
            return password == null ? escaped : escaped + ":" + UrlEscaping.escape(password, Part.USER_INFO);
        }
    }

    /** @throws GoCallException with Go's message where Go rejects the URL */
    public static GoUrl parse(String text) throws GoCallException {
        int hash = text.indexOf('#');
        String main = hash < 0 ? text : text.substring(0, hash);
        GoUrl url = parsing(main, GoUrl::parseMain);
        if (hash < 0) {
            return url;
        }
        String fragment = text.substring(hash + 1);
        return url.withFragment(parsing(text, whole -> UrlEscaping.unescape(fragment, Part.FRAGMENT)));
    }

    @FunctionalInterface
    private interface Step<T> {
        T parse(String text) throws GoCallException;
    }

    private static <T> T parsing(String text, Step<T> step) throws GoCallException {
        try {
            return step.parse(text);
        } catch (GoCallException failure) {
            throw new GoCallException("parse " + GoQuote.quote(text) + ": " + failure.text());
        }
    }

    private static GoUrl parseMain(String text) throws GoCallException {
        if (text.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
            throw new GoCallException("net/url: invalid control character in URL");
        }
        if (text.equals("*")) {
            return new GoUrl("", "", null, "", "*", "", "");
        }
        int colon = schemeEnd(text);
        String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = text.substring(colon + 1);
        int mark = rest.indexOf('?');
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        rest = mark < 0 ? rest : rest.substring(0, mark);
        if (!rest.startsWith("/")) {
            if (!scheme.isEmpty()) {
                return new GoUrl(scheme, rest, null, "", "", query, "");
            }
            if (firstSegment(rest).contains(":")) {
                throw new GoCallException("first path segment in URL cannot contain colon");
            }
        }
        User user = null;
        String host = "";
        if (rest.startsWith("//") && (!scheme.isEmpty() || !rest.startsWith("///"))) {
            int slash = rest.indexOf('/', 2);
            String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
            rest = slash < 0 ? "" : rest.substring(slash);
            int at = authority.lastIndexOf('@');
            host = UrlHostParser.parse(authority.substring(at + 1), scheme);
            user = at < 0 ? null : parseUser(authority.substring(0, at));
        }
        return new GoUrl(scheme, "", user, host, UrlEscaping.unescape(rest, Part.PATH), query, "");
    }

    /** Position of the colon after the scheme, -1 without a scheme. */
    private static int schemeEnd(String text) throws GoCallException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (c == ':' && i == 0) {
                throw new GoCallException("missing protocol scheme");
            }
            if (c == ':') {
                return i;
            }
            if (!letter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
                return -1;
            }
        }
        return -1;
    }

    static User parseUser(String text) throws GoCallException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean alphanumeric = c < 0x80 && Character.isLetterOrDigit(c);
            if (!alphanumeric && "-._:~!$&'()*+,;=%@".indexOf(c) < 0) {
                throw new GoCallException("net/url: invalid userinfo");
            }
        }
        int colon = text.indexOf(':');
        String name = UrlEscaping.unescape(colon < 0 ? text : text.substring(0, colon), Part.USER_INFO);
        return new User(name, colon < 0 ? null : UrlEscaping.unescape(text.substring(colon + 1), Part.USER_INFO));
    }

    private static String firstSegment(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    /** The host without its port and without brackets. */
    public String hostname() {
        return UrlHostParser.name(host);
    }

    /** The port's digits; empty if none. */
    public String port() {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(colon + 1) : "";
    }

    private GoUrl withFragment(String newFragment) {
        return new GoUrl(scheme, opaque, user, host, path, query, newFragment);
    }

    /** The URL's text, with the required escapes. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (!scheme.isEmpty()) {
            text.append(scheme).append(':');
        }
        if (!opaque.isEmpty()) {
            text.append(opaque);
        } else {
            appendPlace(text);
        }
        if (!query.isEmpty()) {
            text.append('?').append(query);
        }
        if (!fragment.isEmpty()) {
            text.append('#').append(UrlEscaping.escape(fragment, Part.FRAGMENT));
        }
        return text.toString();
    }

    private void appendPlace(StringBuilder text) {
        boolean hasAuthority = !host.isEmpty() || user != null;
        if (hasAuthority || (!scheme.isEmpty() && !path.isEmpty())) {
            text.append("//");
        }
        if (user != null) {
            text.append(user).append('@');
        }
        text.append(UrlEscaping.escape(host, Part.HOST));
        String escaped = path.equals("*") ? "*" : UrlEscaping.escape(path, Part.PATH);
        if (!escaped.isEmpty() && !escaped.startsWith("/") && !host.isEmpty()) {
            text.append('/');
        }
        // Otherwise the first segment would be parsed as a scheme.
        if (text.isEmpty() && firstSegment(escaped).contains(":")) {
            text.append("./");
        }
        text.append(escaped);
    }

    /** The host of a URL, with its port, and IP literals. */
    private static final class UrlHostParser {
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
                throw new GoCallException(
                        "invalid host: ParseAddr(" + GoQuote.quote(address) + "): unable to parse IP");
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
            return text.isEmpty()
                    || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
        }
    }

    /** Percent-encoding in the parts of a URL, with Go's rules on what must be encoded where. */
    static final class UrlEscaping {
        enum Part {
            PATH,
            FRAGMENT,
            USER_INFO,
            HOST,
            ZONE
        }

        private static final String HEX = "0123456789ABCDEF";

        static String escape(String bytes, Part part) {
            StringBuilder escaped = new StringBuilder(bytes.length());
            for (int i = 0; i < bytes.length(); i++) {
                char c = bytes.charAt(i);
                if (mustEscape(c, part)) {
                    escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
                } else {
                    escaped.append(c);
                }
            }
            return escaped.toString();
        }

        static String unescape(String bytes, Part part) throws GoCallException {
            boolean inHost = part == Part.HOST || part == Part.ZONE;
            StringBuilder plain = new StringBuilder(bytes.length());
            // All escapes are checked before the text is accepted, but errors are reported in order of position.
            for (int i = 0; i < bytes.length(); i++) {
                char c = bytes.charAt(i);
                if (c == '%') {
                    plain.append(unescaped(bytes, i, part));
                    i += 2;
                } else if (inHost && c < 0x80 && mustEscape(c, part)) {
                    throw new GoCallException(
                            "invalid character " + GoQuote.quote(String.valueOf(c)) + " in host name");
                } else {
                    plain.append(c);
                }
            }
            return plain.toString();
        }

        private static char unescaped(String bytes, int at, Part part) throws GoCallException {
            String escape = bytes.substring(at, Math.min(at + 3, bytes.length()));
            int high = escape.length() == 3 ? hexDigit(escape.charAt(1)) : -1;
            int low = escape.length() == 3 ? hexDigit(escape.charAt(2)) : -1;
            char c = (char) (high << 4 | low);
            // In a host only non-ASCII characters may be escaped, in a zone only characters that are not allowed
            // unescaped.
            boolean wrong = high < 0
                    || low < 0
                    || (part == Part.HOST && high < 8 && !escape.equals("%25"))
                    || (part == Part.ZONE && !escape.equals("%25") && c != ' ' && mustEscape(c, Part.HOST));
            if (wrong) {
                throw new GoCallException("invalid URL escape " + GoQuote.quote(escape));
            }
            return c;
        }

        private static int hexDigit(char c) {
            return c < 0x80 ? Character.digit(c, 16) : -1;
        }

        private static boolean mustEscape(char c, Part part) {
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-_.~".indexOf(c) >= 0) {
                return false;
            }
            return switch (part) {
                case PATH -> "$&+,/:;=@".indexOf(c) < 0;
                case FRAGMENT -> "$&+,/:;=?@!()*".indexOf(c) < 0;
                case USER_INFO -> "$&+,;=".indexOf(c) < 0;
                case HOST, ZONE -> "!$&'()*+,;=:[]<>\"".indexOf(c) < 0;
            };
        }
    }

    /** A URL's query as Go's {@code url.Values}: decoded, grouped by key, encoded in key order. Bytes as chars. */
    public static final class GoQuery {
        private static final String HEX = "0123456789ABCDEF";

        private final SortedMap<String, List<String>> values = new TreeMap<>();

        private GoQuery() {}

        /** Parses a query; pairs that cannot be decoded are skipped. */
        public static GoQuery parse(String query) {
            GoQuery parsed = new GoQuery();
            for (String pair : query.split("&", -1)) {
                if (pair.isEmpty() || pair.indexOf(';') >= 0) {
                    continue;
                }
                int equals = pair.indexOf('=');
                try {
                    String key = unescape(equals < 0 ? pair : pair.substring(0, equals), true);
                    String value = unescape(equals < 0 ? "" : pair.substring(equals + 1), true);
                    parsed.values.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
                } catch (GoCallException e) {
                    // Go's Query() silently drops such a pair.
                }
            }
            return parsed;
        }

        public boolean has(String key) {
            return values.containsKey(key);
        }

        /** The first value of a key, empty if none. */
        public String first(String key) {
            List<String> of = values.get(key);
            return of == null ? "" : of.getFirst();
        }

        /** This query without one key, encoded. */
        public String encodedWithout(String without) {
            StringBuilder text = new StringBuilder();
            values.forEach((key, list) -> {
                for (String value : key.equals(without) ? List.<String>of() : list) {
                    text.append(text.isEmpty() ? "" : "&")
                            .append(escape(key))
                            .append('=')
                            .append(escape(value));
                }
            });
            return text.toString();
        }

        /**
         * Decodes percent escapes; {@code plusIsBlank} as in a query.
         *
         * @throws GoCallException at an invalid escape
         */
        public static String unescape(String text, boolean plusIsBlank) throws GoCallException {
            if (text.indexOf('%') < 0 && !(plusIsBlank && text.indexOf('+') >= 0)) {
                return text;
            }
            StringBuilder decoded = new StringBuilder(text.length());
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '%') {
                    boolean whole = i + 2 < text.length();
                    int high = whole ? Character.digit(text.charAt(i + 1), 16) : -1;
                    int low = whole ? Character.digit(text.charAt(i + 2), 16) : -1;
                    if (high < 0 || low < 0) {
                        String escape = text.substring(i, Math.min(i + 3, text.length()));
                        throw new GoCallException("invalid URL escape " + GoQuote.quote(escape));
                    }
                    decoded.append((char) (high << 4 | low));
                    i += 2;
                } else {
                    decoded.append(plusIsBlank && c == '+' ? ' ' : c);
                }
            }
            return decoded.toString();
        }

        private static String escape(String text) {
            StringBuilder escaped = new StringBuilder(text.length());
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                boolean plain = (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || "-_.~".indexOf(c) >= 0;
                if (plain) {
                    escaped.append(c);
                } else if (c == ' ') {
                    escaped.append('+');
                } else {
                    escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
                }
            }
            return escaped.toString();
        }
    }
}
