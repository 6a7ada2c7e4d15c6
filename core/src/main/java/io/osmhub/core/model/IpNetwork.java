package io.osmhub.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network in CIDR notation. {@code prefix} counts bits of the IPv6 form of the address, so that {@code 10.0.0.0/8} has 104; bits
 * of {@code address} after the prefix are 0.
 */
public record IpNetwork(IpAddress address, int prefix) {
    private static final int V4_IN_V6 = 96;

    public IpNetwork {
        if (prefix < 0 || prefix > 128) {
            throw new IllegalArgumentException("a prefix of " + prefix + " bits");
        }
        address = masked(address, prefix);
    }

    /** Parses {@code 10.0.0.0/8} or {@code fe80::/10}. Null if invalid, or if bits after the prefix are set. */
    public static @Nullable IpNetwork parse(String text) {
        int slash = text.indexOf('/');
        IpNetwork network = parseMasking(text);
        return network == null
                        || text.charAt(slash + 1) == '0' && text.length() > slash + 2
                        || !network.address.equals(IpAddress.parse(text.substring(0, slash)))
                ? null
                : network;
    }

    /**
     * Parses like Go's {@code net.ParseCIDR}: the network that contains the address, so bits after the prefix may be set. Null if
     * invalid.
     */
    public static @Nullable IpNetwork parseMasking(String text) {
        int slash = text.indexOf('/');
        IpAddress address = slash < 0 ? null : IpAddress.parse(text.substring(0, slash));
        int bits = slash < 0 ? -1 : bits(text.substring(slash + 1));
        boolean dotted = text.indexOf(':') < 0;
        return address == null || bits < 0 || bits > (dotted ? 32 : 128)
                ? null
                : new IpNetwork(address, dotted ? bits + V4_IN_V6 : bits);
    }

    /** Parses a constant, which must be valid. */
    public static IpNetwork of(String text) {
        IpNetwork network = parse(text);
        if (network == null) {
            throw new IllegalArgumentException("not a network: " + text);
        }
        return network;
    }

    private static int bits(String text) {
        if (text.isEmpty()) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > 128) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static IpAddress masked(IpAddress address, int prefix) {
        List<Integer> groups = new ArrayList<>(8);
        for (int i = 0; i < 8; i++) {
            int bits = Math.clamp(prefix - 16L * i, 0, 16);
            groups.add(address.groups().get(i) & (0xffff << (16 - bits)) & 0xffff);
        }
        return new IpAddress(groups);
    }

    public boolean contains(IpAddress other) {
        return masked(other, prefix).equals(address);
    }

    /** The notation of {@link #parse}. */
    @Override
    public String toString() {
        boolean dotted = address.isV4() && prefix >= V4_IN_V6;
        return address + "/" + (dotted ? prefix - V4_IN_V6 : prefix);
    }
}
