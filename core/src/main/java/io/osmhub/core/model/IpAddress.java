package io.osmhub.core.model;

import io.osmhub.core.golang.wellknown.GoIp;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An IP address without zone and name; an IPv4-mapped IPv6 address is an IPv4 address. */
public record IpAddress(InetAddress address) {
    private static final int GROUPS = 8;

    public IpAddress {
        address = ofBytes(address.getAddress());
    }

    /** Parses an address as Go's {@code net.ParseIP} does: no zone, no leading zeros in IPv4. Null if invalid. */
    public static @Nullable IpAddress parse(String text) {
        InetAddress address = GoIp.parseAddress(text);
        return address == null ? null : new IpAddress(address);
    }

    /** The address of the eight groups of the IPv6 form. */
    public static IpAddress ofGroups(List<Integer> groups) {
        byte[] bytes = new byte[2 * GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            bytes[2 * i] = (byte) (groups.get(i) >> 8);
            bytes[2 * i + 1] = groups.get(i).byteValue();
        }
        return new IpAddress(ofBytes(bytes));
    }

    private static InetAddress ofBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length, e);
        }
    }

    public boolean isV4() {
        return address instanceof Inet4Address;
    }

    /** The eight groups of the IPv6 form, {@code ::ffff:a.b.c.d} for IPv4. */
    public List<Integer> groups() {
        byte[] bytes = address.getAddress();
        int missing = GROUPS - bytes.length / 2;
        return IntStream.range(0, GROUPS)
                .mapToObj(i -> i < missing
                        ? (i == missing - 1 ? 0xffff : 0)
                        : (bytes[2 * (i - missing)] & 0xff) << 8 | bytes[2 * (i - missing) + 1] & 0xff)
                .toList();
    }

    /** The address whose last byte is larger, modulo 256. */
    public IpAddress plusInLastByte(int added) {
        byte[] bytes = address.getAddress();
        bytes[bytes.length - 1] += (byte) added;
        return new IpAddress(ofBytes(bytes));
    }

    /** Dotted for IPv4; RFC 5952 for IPv6: lower case, the longest run of zero groups as two colons. */
    @Override
    public String toString() {
        return GoIp.text(address);
    }
}
