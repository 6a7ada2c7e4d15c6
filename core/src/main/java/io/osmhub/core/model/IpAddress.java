package io.osmhub.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An IP address. {@code groups} are the eight groups of its IPv6 form, {@code ::ffff:a.b.c.d} for IPv4. */
public record IpAddress(List<Integer> groups) {
    public IpAddress {
        groups = List.copyOf(groups);
        if (groups.size() != 8) {
            throw new IllegalArgumentException("an address has 8 groups, not " + groups.size());
        }
    }

    /** Parses an address as Go's {@code net.ParseIP} does: no zone, no leading zeros in IPv4. Null if invalid. */
    public static @Nullable IpAddress parse(String text) {
        if (text.indexOf(':') < 0) {
            List<Integer> v4 = v4Groups(text);
            if (v4 == null) {
                return null;
            }
            List<Integer> groups = new ArrayList<>(List.of(0, 0, 0, 0, 0, 0xffff));
            groups.addAll(v4);
            return new IpAddress(groups.subList(0, 8));
        }
        return v6(text);
    }

    public boolean isV4() {
        return groups.subList(0, 6).equals(List.of(0, 0, 0, 0, 0, 0xffff));
    }

    private static @Nullable List<Integer> v4Groups(String text) {
        int[] parts = new int[4];
        int part = 0;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i < text.length() && text.charAt(i) != '.') {
                continue;
            }
            int value = decimalByte(text, start, i);
            if (value < 0 || part == 4) {
                return null;
            }
            parts[part++] = value;
            start = i + 1;
        }
        return part == 4 ? List.of(parts[0] << 8 | parts[1], parts[2] << 8 | parts[3]) : null;
    }

    private static int decimalByte(String text, int start, int end) {
        int length = end - start;
        if (length < 1 || length > 3 || (length > 1 && text.charAt(start) == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value > 255 ? -1 : value;
    }

    private static @Nullable IpAddress v6(String text) {
        List<Integer> before = new ArrayList<>();
        int gap = text.indexOf("::");
        if (gap < 0) {
            return read(text, before, true) && before.size() == 8 ? new IpAddress(before) : null;
        }
        List<Integer> after = new ArrayList<>();
        String tail = text.substring(gap + 2);
        boolean fits = (gap == 0 || read(text.substring(0, gap), before, false))
                && (tail.isEmpty() || read(tail, after, true))
                && before.size() + after.size() < 8;
        if (!fits) {
            return null;
        }
        while (before.size() + after.size() < 8) {
            before.add(0);
        }
        before.addAll(after);
        return new IpAddress(before);
    }

    /** Parses colon-separated groups; the last may be an IPv4 address where allowed. */
    private static boolean read(String text, List<Integer> groups, boolean v4AtEnd) {
        int start = 0;
        while (true) {
            int end = text.indexOf(':', start);
            String group = text.substring(start, end < 0 ? text.length() : end);
            if (end < 0 && v4AtEnd && group.indexOf('.') >= 0) {
                List<Integer> v4 = v4Groups(group);
                return v4 != null && groups.addAll(v4);
            }
            int value = hexGroup(group);
            if (value < 0) {
                return false;
            }
            groups.add(value);
            if (end < 0) {
                return true;
            }
            start = end + 1;
        }
    }

    private static int hexGroup(String text) {
        if (text.isEmpty() || text.length() > 4) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Dotted for IPv4; RFC 5952 for IPv6: lower case, the longest run of zero groups as two colons. */
    @Override
    public String toString() {
        if (isV4()) {
            int high = groups.get(6);
            int low = groups.get(7);
            return (high >> 8) + "." + (high & 0xff) + "." + (low >> 8) + "." + (low & 0xff);
        }
        int gapStart = -1;
        int gapLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = 0;
            while (i + length < 8 && groups.get(i + length) == 0) {
                length++;
            }
            if (length > gapLength) {
                gapStart = i;
                gapLength = length;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == gapStart) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(groups.get(i)));
        }
        return text.toString();
    }
}
