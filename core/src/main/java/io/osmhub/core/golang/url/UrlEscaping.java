package io.osmhub.core.golang.url;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;

/** Percent-encoding in the parts of a URL, with Go's rules on what must be encoded where. */
final class UrlEscaping {
    enum Part {
        PATH,
        FRAGMENT,
        USER_INFO,
        HOST,
        ZONE
    }

    private static final String HEX = "0123456789ABCDEF";

    private UrlEscaping() {}

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
                throw new GoCallException("invalid character " + GoQuote.quote(String.valueOf(c)) + " in host name");
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
        // In a host only non-ASCII characters may be escaped, in a zone only characters that are not allowed unescaped.
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
