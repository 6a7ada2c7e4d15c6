package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Go's {@code net.IP}: a slice of four or sixteen bytes, or none. */
public final class GoIp {
    public static final GoType TYPE = GoType.named("net.IP", GoType.BYTES);

    /** {@code []net.IP}. */
    public static final GoType LIST = GoType.sliceOf(TYPE);

    private static final byte[] IPV4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    static {
        method("String", GoType.STRING, ip -> GoString.ofBytes(text(ip)));
        method("To4", TYPE, ip -> slice(address(ip) instanceof Inet4Address v4 ? v4.getAddress() : null));
        method("To16", TYPE, ip -> slice(sixteenBytes(address(ip))));
        test("IsUnspecified", InetAddress::isAnyLocalAddress);
        test("IsLoopback", InetAddress::isLoopbackAddress);
        test("IsPrivate", GoIp::isPrivate);
        test("IsMulticast", InetAddress::isMulticastAddress);
        test("IsInterfaceLocalMulticast", InetAddress::isMCNodeLocal);
        test("IsLinkLocalMulticast", InetAddress::isMCLinkLocal);
        test("IsLinkLocalUnicast", InetAddress::isLinkLocalAddress);
        test("IsGlobalUnicast", GoIp::isGlobalUnicast);
        GoType equal = GoType.function(GoType.BOOL, TYPE);
        TYPE.addMethod(new GoType.Method("Equal", equal, false, (_, arguments) -> {
            InetAddress one = address((GoSlice) arguments.get(0));
            InetAddress other = address((GoSlice) arguments.get(1));
            return GoBool.of(one == null ? arguments.get(0).equals(arguments.get(1)) : one.equals(other));
        }));
    }

    private GoIp() {}

    private static void method(String name, GoType result, Function<GoSlice, GoValue> getter) {
        GoType signature = GoType.function(result);
        TYPE.addMethod(new GoType.Method(name, signature, false, (_, arguments) -> {
            return getter.apply((GoSlice) arguments.getFirst());
        }));
    }

    private static void test(String name, Predicate<InetAddress> test) {
        method(name, GoType.BOOL, ip -> {
            InetAddress address = address(ip);
            return GoBool.of(address != null && test.test(address));
        });
    }

    private static boolean isPrivate(InetAddress address) {
        return address instanceof Inet4Address
                ? address.isSiteLocalAddress()
                : (address.getAddress()[0] & 0xFE) == 0xFC;
    }

    private static boolean isGlobalUnicast(InetAddress address) {
        return !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isMulticastAddress()
                && !address.isLinkLocalAddress()
                && !text(address).equals("255.255.255.255");
    }

    /** {@code net.ParseIP}: nil if invalid. */
    public static GoSlice parse(String text) {
        return slice(sixteenBytes(parseAddress(text)));
    }

    /** The address of {@code net.ParseIP}, an {@link Inet4Address} also for an IPv4-mapped one; null if invalid. */
    public static @Nullable InetAddress parseAddress(String text) {
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            // Java also accepts zones, brackets, and IPv4 addresses with fewer than four numbers or with leading zeros.
            String dotted = text.substring(text.lastIndexOf(':') + 1);
            boolean valid = text.indexOf('%') < 0
                    && text.indexOf('[') < 0
                    && (text.indexOf(':') >= 0 && dotted.indexOf('.') < 0
                            || InetAddress.ofLiteral(dotted).getHostAddress().equals(dotted));
            return valid ? address : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A {@code []net.IP}, each as parsed by {@link #parse}. */
    public static GoSlice parseAll(List<String> texts) {
        return new GoSlice(LIST, texts.stream().<GoValue>map(GoIp::parse).toList());
    }

    /** {@code IP.String}. */
    public static String text(GoSlice ip) {
        if (ip.length() == 0) {
            return "<nil>";
        }
        InetAddress address = address(ip);
        return address == null ? "?" + HexFormat.of().formatHex(bytes(ip)) : text(address);
    }

    /** {@code IP.String} of an address: dotted for IPv4, else as in RFC 5952. */
    public static String text(InetAddress address) {
        return address instanceof Inet4Address ? address.getHostAddress() : ipv6Text(address.getAddress());
    }

    /** As in RFC 5952. */
    private static String ipv6Text(byte[] address) {
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

    private static int group(byte[] address, int index) {
        return (address[2 * index] & 0xFF) << 8 | address[2 * index + 1] & 0xFF;
    }

    /** An {@link Inet4Address} also for the sixteen bytes of an IPv4 address; null if the length is wrong. */
    private static @Nullable InetAddress address(GoSlice ip) {
        try {
            return InetAddress.getByAddress(bytes(ip));
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static byte[] bytes(GoSlice ip) {
        byte[] bytes = new byte[ip.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ((GoInt) ip.elements().get(i)).value();
        }
        return bytes;
    }

    private static byte @Nullable [] sixteenBytes(@Nullable InetAddress address) {
        if (!(address instanceof Inet4Address)) {
            return address == null ? null : address.getAddress();
        }
        byte[] bytes = Arrays.copyOf(IPV4_PREFIX, 16);
        System.arraycopy(address.getAddress(), 0, bytes, 12, 4);
        return bytes;
    }

    private static GoSlice slice(byte @Nullable [] bytes) {
        if (bytes == null) {
            return new GoSlice(TYPE, null);
        }
        GoValue[] items = new GoValue[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            items[i] = new GoInt(GoType.UINT8, bytes[i] & 0xFF);
        }
        return new GoSlice(TYPE, List.of(items));
    }
}
