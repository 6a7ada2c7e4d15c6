package io.osmhub.core.template.sprig;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads an IP address as strictly as Go does: no zone, no leading zeros in IPv4, four parts. */
final class IpLiteral {
    private static final int GROUPS = 8;
    /** Eight groups of which the last two are written as IPv4. */
    private static final int LONGEST = 45;

    private IpLiteral() {}

    /** Four bytes for IPv4, also when written as an IPv6 address that wraps one; 16 for IPv6; null when it is neither. */
    static byte @Nullable [] parse(String text) {
        if (text.length() > LONGEST) {
            return null;
        }
        return text.indexOf(':') < 0 ? v4(text) : v6(text);
    }

    private static byte @Nullable [] v4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return null;
        }
        byte[] address = new byte[4];
        for (int i = 0; i < 4; i++) {
            int part = number(parts[i], 10, 3);
            if (part < 0 || part > 255 || parts[i].length() > 1 && parts[i].charAt(0) == '0') {
                return null;
            }
            address[i] = (byte) part;
        }
        return address;
    }

    private static byte @Nullable [] v6(String text) {
        int gap = text.indexOf("::");
        byte[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        byte[] tail = groups(gap < 0 ? "" : text.substring(gap + 2), true);
        if (head == null || tail == null) {
            return null;
        }
        int length = head.length + tail.length;
        // The gap stands for at least one group.
        if (gap < 0 ? length != 2 * GROUPS : length > 2 * GROUPS - 2) {
            return null;
        }
        byte[] address = Arrays.copyOf(head, 2 * GROUPS);
        System.arraycopy(tail, 0, address, address.length - tail.length, tail.length);
        return wrapsV4(address) ? Arrays.copyOfRange(address, 12, 16) : address;
    }

    private static boolean wrapsV4(byte[] address) {
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[10] == -1 && address[11] == -1;
    }

    /** Groups between colons; the last may be an IPv4 address when it ends the text. */
    private static byte @Nullable [] groups(String text, boolean last) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] parts = text.split(":", -1);
        byte[] bytes = new byte[2 * parts.length + 2];
        int length = 0;
        for (int i = 0; i < parts.length; i++) {
            if (last && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
                byte[] four = v4(parts[i]);
                if (four == null) {
                    return null;
                }
                System.arraycopy(four, 0, bytes, length, 4);
                length += 4;
                continue;
            }
            int group = number(parts[i], 16, 4);
            if (group < 0) {
                return null;
            }
            bytes[length++] = (byte) (group >> 8);
            bytes[length++] = (byte) group;
        }
        return Arrays.copyOf(bytes, length);
    }

    /** A number of 1 to {@code most} digits, else -1. */
    private static int number(String text, int radix, int most) {
        if (text.isEmpty() || text.length() > most) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }
}
