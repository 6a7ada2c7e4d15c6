package io.osmhub.core.golang.url;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.url.UrlEscaping.Part;
import java.util.Locale;
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
}
