package io.osmhub.core.golang.text;

import io.osmhub.core.golang.CallFailure;
import java.util.Locale;

/**
 * A URL as Go's {@code net/url} splits it. All parts are bytes as chars and still escaped.
 *
 * @param host with its port
 * @param beforeQuery the URL's text up to the question mark
 * @param rawQuery between question mark and fragment
 * @param fragment after the hash
 */
public record GoUrl(String scheme, String host, String beforeQuery, String rawQuery, String fragment) {
    /** @throws CallFailure with Go's text where Go refuses the URL */
    public static GoUrl parse(String bytes) throws CallFailure {
        int hash = bytes.indexOf('#');
        String url = hash < 0 ? bytes : bytes.substring(0, hash);
        String fragment = hash < 0 ? "" : bytes.substring(hash + 1);
        try {
            GoUrl parsed = split(url, fragment);
            checkEscapes(fragment);
            return parsed;
        } catch (CallFailure e) {
            throw new CallFailure("parse " + GoQuote.quote(bytes) + ": " + e.text());
        }
    }

    private static GoUrl split(String url, String fragment) throws CallFailure {
        for (int i = 0; i < url.length(); i++) {
            if (url.charAt(i) < ' ' || url.charAt(i) == 0x7f) {
                throw new CallFailure("net/url: invalid control character in URL");
            }
        }
        int schemeEnd = schemeEnd(url);
        String scheme = url.substring(0, Math.max(schemeEnd, 0)).toLowerCase(Locale.ROOT);
        int restStart = schemeEnd < 0 ? 0 : schemeEnd + 1;
        int question = url.indexOf('?', restStart);
        String beforeQuery = question < 0 ? url : url.substring(0, question);
        String query = question < 0 ? "" : url.substring(question + 1);
        String rest = beforeQuery.substring(restStart);
        String host = "";
        if (rest.startsWith("//") && (!scheme.isEmpty() || !rest.startsWith("///"))) {
            int slash = rest.indexOf('/', 2);
            host = host(slash < 0 ? rest.substring(2) : rest.substring(2, slash));
            checkEscapes(slash < 0 ? "" : rest.substring(slash));
        } else if (rest.startsWith("/") || scheme.isEmpty()) {
            int slash = rest.indexOf('/');
            if (!rest.startsWith("/")
                    && rest.substring(0, slash < 0 ? rest.length() : slash).indexOf(':') >= 0) {
                throw new CallFailure("first path segment in URL cannot contain colon");
            }
            checkEscapes(rest);
        }
        return new GoUrl(scheme, host, beforeQuery, query, fragment);
    }

    /** Index of the colon after the scheme, -1 without a scheme. */
    private static int schemeEnd(String url) throws CallFailure {
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (c == ':') {
                if (i == 0) {
                    throw new CallFailure("missing protocol scheme");
                }
                return i;
            }
            if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
                return -1;
            }
        }
        return -1;
    }

    private static String host(String authority) throws CallFailure {
        int at = authority.lastIndexOf('@');
        for (int i = 0; i < at; i++) {
            if (!isUserinfo(authority.charAt(i))) {
                throw new CallFailure("net/url: invalid userinfo");
            }
        }
        String host = authority.substring(at + 1);
        int bracket = host.startsWith("[") ? host.lastIndexOf(']') : -1;
        if (host.startsWith("[") && bracket < 0) {
            throw new CallFailure("missing ']' in host");
        }
        int colon = bracket >= 0 ? bracket + 1 : host.indexOf(':');
        if (colon >= 0 && !isPort(host.substring(colon))) {
            throw new CallFailure("invalid port " + GoQuote.quote(host.substring(colon)) + " after host");
        }
        checkEscapes(host);
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c < 0x80 && c != '%' && !isHost(c)) {
                throw new CallFailure("invalid character " + GoQuote.quote(String.valueOf(c)) + " in host name");
            }
        }
        return host;
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean isUserinfo(char c) {
        return isAlphanumeric(c) || "-._:~!$&'()*+,;=%@".indexOf(c) >= 0;
    }

    private static boolean isHost(char c) {
        return isAlphanumeric(c) || "-_.~!$&'()*+,;=:[]<>\"".indexOf(c) >= 0;
    }

    private static boolean isPort(String colonPort) {
        if (colonPort.isEmpty()) {
            return true;
        }
        for (int i = 1; i < colonPort.length(); i++) {
            if (colonPort.charAt(i) < '0' || colonPort.charAt(i) > '9') {
                return false;
            }
        }
        return colonPort.charAt(0) == ':';
    }

    private static void checkEscapes(String text) throws CallFailure {
        GoQuery.unescape(text, false);
    }

    /** The host without its port and without brackets. */
    public String hostname() {
        int colon = portColon();
        String name = colon < 0 ? host : host.substring(0, colon);
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    /** The port's digits; empty when the URL has none. */
    public String port() {
        int colon = portColon();
        return colon < 0 ? "" : host.substring(colon + 1);
    }

    private int portColon() {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? colon : -1;
    }
}
