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
        IpNetwork network = parseMasking(text);
        return network == null
                        || text.matches(".*/0.+")
                        || !network.address.equals(IpAddress.parse(text.substring(0, text.indexOf('/'))))
                ? null
                : network;
    }

    /**
     * Parses like Go's {@code net.ParseCIDR}: the network that contains the address, so bits after the prefix may be set. Null if
     * invalid.
     */
    public static @Nullable IpNetwork parseMasking(String text) {
        String[] parts = text.split("/", 2);
        IpAddress address = parts.length == 2 && parts[1].matches("[0-9]{1,9}") ? IpAddress.parse(parts[0]) : null;
        if (address == null) {
            return null;
        }
        int bits = Integer.parseInt(parts[1]);
        boolean dotted = text.indexOf(':') < 0;
        return bits > (dotted ? 32 : 128) ? null : new IpNetwork(address, dotted ? bits + V4_IN_V6 : bits);
    }

    /** Parses a constant, which must be valid. */
    public static IpNetwork of(String text) {
        IpNetwork network = parse(text);
        if (network == null) {
            throw new IllegalArgumentException("not a network: " + text);
        }
        return network;
    }

    private static IpAddress masked(IpAddress address, int prefix) {
        List<Integer> groups = new ArrayList<>(8);
        for (int i = 0; i < 8; i++) {
            int bits = Math.clamp(prefix - 16L * i, 0, 16);
            groups.add(address.groups().get(i) & (0xffff << (16 - bits)) & 0xffff);
        }
        return IpAddress.ofGroups(groups);
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
