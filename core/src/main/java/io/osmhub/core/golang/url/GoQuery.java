package io.osmhub.core.golang.url;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A URL's query as Go's {@code url.Values}: decoded, grouped by key, encoded in key order. Bytes as chars. */
public final class GoQuery {
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
