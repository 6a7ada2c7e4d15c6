package io.osmhub.core.golang.wellknown;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Formats IP addresses as in RFC 5952 and parses them as Go's {@code net.ParseIP}. */
public final class IpAddressFormat {
    private static final byte[] IPV4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    /** Eight groups, of which the last two are written as IPv4. */
    private static final int LONGEST = 45;

    private IpAddressFormat() {}

    /** {@code IP.String}. */
    static String format(byte[] address) {
        byte[] ipv4 = ipv4(address);
        if (ipv4 != null) {
            return (ipv4[0] & 0xFF) + "." + (ipv4[1] & 0xFF) + "." + (ipv4[2] & 0xFF) + "." + (ipv4[3] & 0xFF);
        }
        return switch (address.length) {
            case 0 -> "<nil>";
            case 16 -> ipv6(address);
            default -> "?" + HexFormat.of().formatHex(address);
        };
    }

    /** The four bytes of an IPv4 address in either form; null for any other. */
    static byte @Nullable [] ipv4(byte[] address) {
        if (address.length == 4) {
            return address;
        }
        boolean embedded = address.length == 16 && Arrays.equals(address, 0, 12, IPV4_PREFIX, 0, 12);
        return embedded ? Arrays.copyOfRange(address, 12, 16) : null;
    }

    /** The sixteen bytes of an address; null if invalid. */
    static byte @Nullable [] ipv6Form(byte[] address) {
        if (address.length == 16) {
            return address;
        }
        return address.length == 4 ? embed(address) : null;
    }

    private static byte[] embed(byte[] ipv4) {
        byte[] address = Arrays.copyOf(IPV4_PREFIX, 16);
        System.arraycopy(ipv4, 0, address, 12, 4);
        return address;
    }

    private static int group(byte[] address, int index) {
        return (address[2 * index] & 0xFF) << 8 | address[2 * index + 1] & 0xFF;
    }

    private static String ipv6(byte[] address) {
        // The first of the longest runs of zero groups is omitted, if longer than one.
        int start = -1;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && group(address, end) == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
            i = Math.max(i, end);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
                continue;
            }
            boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
            text.append(first ? "" : ":").append(Integer.toHexString(group(address, i)));
        }
        return text.toString();
    }

    /** As {@link #parse}, but an IPv4 address has four bytes, even inside an IPv6 address. */
    public static byte @Nullable [] parseShort(String text) {
        byte[] address = parse(text);
        byte[] ipv4 = address == null ? null : ipv4(address);
        return ipv4 == null ? address : ipv4;
    }

    /** Sixteen bytes; null if invalid. Leading zeros in IPv4 and zones are rejected. */
    static byte @Nullable [] parse(String text) {
        if (text.length() > LONGEST) {
            return null;
        }
        if (text.indexOf(':') >= 0) {
            return parseIpv6(text);
        }
        byte[] ipv4 = parseIpv4(text);
        return ipv4 == null ? null : embed(ipv4);
    }

    private static byte @Nullable [] parseIpv4(String text) {
        String[] numbers = text.split("\\.", -1);
        if (numbers.length != 4) {
            return null;
        }
        byte[] address = new byte[4];
        for (int i = 0; i < 4; i++) {
            int number = number(numbers[i], 10, 3);
            if (number < 0 || number > 255 || numbers[i].length() > 1 && numbers[i].charAt(0) == '0') {
                return null;
            }
            address[i] = (byte) number;
        }
        return address;
    }

    private static byte @Nullable [] parseIpv6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            byte[] address = groups(text);
            return address != null && address.length == 16 ? address : null;
        }
        byte[] before = groups(text.substring(0, gap));
        byte[] after = groups(text.substring(gap + 2));
        // An IPv4 tail must be at the very end, and the gap replaces at least one group.
        if (before == null || after == null || before.length + after.length > 14 || text.lastIndexOf('.', gap) >= 0) {
            return null;
        }
        byte[] address = Arrays.copyOf(before, 16);
        System.arraycopy(after, 0, address, 16 - after.length, after.length);
        return address;
    }

    /** The bytes of colon-separated groups, of which the last may be an IPv4 address; null if invalid. */
    private static byte @Nullable [] groups(String text) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] groups = text.split(":", -1);
        if (groups.length > 8) {
            return null;
        }
        byte[] bytes = new byte[2 * groups.length + 2];
        int size = 0;
        for (int i = 0; i < groups.length; i++) {
            if (i == groups.length - 1 && groups[i].indexOf('.') >= 0) {
                byte[] ipv4 = parseIpv4(groups[i]);
                if (ipv4 == null) {
                    return null;
                }
                System.arraycopy(ipv4, 0, bytes, size, 4);
                size += 4;
            } else {
                int number = number(groups[i], 16, 4);
                if (number < 0) {
                    return null;
                }
                bytes[size++] = (byte) (number >> 8);
                bytes[size++] = (byte) number;
            }
        }
        return Arrays.copyOf(bytes, size);
    }

    private static int number(String digits, int base, int most) {
        if (digits.isEmpty() || digits.length() > most) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) < 0x80 ? Character.digit(digits.charAt(i), base) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * base + digit;
        }
        return number;
    }
}
