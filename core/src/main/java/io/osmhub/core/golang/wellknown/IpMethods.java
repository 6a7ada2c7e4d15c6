package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The methods of {@code net.IP} for templates. */
final class IpMethods {
    private IpMethods() {}

    static void define(GoType ip) {
        method(ip, "String", "func() string", address -> GoString.ofBytes(IpAddressFormat.format(address)));
        method(ip, "MarshalText", "func() ([]uint8, error)", IpMethods::marshal);
        method(ip, "To4", "func() net.IP", address -> slice(ip, IpAddressFormat.ipv4(address)));
        method(ip, "To16", "func() net.IP", address -> slice(ip, IpAddressFormat.ipv6Form(address)));
        ip.addMethod(new GoType.Method(
                "Equal", GoTypeParser.parseFunction("func(net.IP) bool", ip), false, (_, arguments) -> {
                    byte[] one = WellKnownTypes.address((GoSlice) arguments.get(0));
                    byte[] other = WellKnownTypes.address((GoSlice) arguments.get(1));
                    return GoBool.of(Arrays.equals(comparable(one), comparable(other)));
                }));
        // For an IPv4 address only the rule of four bytes applies, for any other the rule of sixteen bytes.
        test(ip, "IsUnspecified", a -> isAll(a, 4, 0), a -> isAll(a, 16, 0));
        test(ip, "IsLoopback", a -> a[0] == 127, a -> a[15] == 1 && isAll(a, 15, 0));
        test(
                ip,
                "IsPrivate",
                a -> a[0] == 10
                        || a[0] == (byte) 172 && (a[1] & 0xF0) == 16
                        || a[0] == (byte) 192 && a[1] == (byte) 168,
                a -> (a[0] & 0xFE) == 0xFC);
        test(ip, "IsMulticast", a -> (a[0] & 0xF0) == 0xE0, a -> a[0] == (byte) 0xFF);
        test(ip, "IsInterfaceLocalMulticast", a -> false, a -> a[0] == (byte) 0xFF && (a[1] & 0x0F) == 1);
        test(
                ip,
                "IsLinkLocalMulticast",
                a -> a[0] == (byte) 224 && a[1] == 0 && a[2] == 0,
                a -> a[0] == (byte) 0xFF && (a[1] & 0x0F) == 2);
        test(ip, "IsLinkLocalUnicast", IpMethods::isLinkLocal4, IpMethods::isLinkLocal6);
        test(
                ip,
                "IsGlobalUnicast",
                a -> !isAll(a, 4, 0) && !isAll(a, 4, -1) && a[0] != 127 && (a[0] & 0xF0) != 0xE0 && !isLinkLocal4(a),
                a -> !isAll(a, 15, 0) && a[0] != (byte) 0xFF && !isLinkLocal6(a)
                        || isAll(a, 15, 0) && (a[15] & 0xFE) != 0);
    }

    private static boolean isLinkLocal4(byte[] a) {
        return a[0] == (byte) 169 && a[1] == (byte) 254;
    }

    private static boolean isLinkLocal6(byte[] a) {
        return a[0] == (byte) 0xFE && (a[1] & 0xC0) == 0x80;
    }

    private static boolean isAll(byte[] address, int count, int value) {
        for (int i = 0; i < count; i++) {
            if (address[i] != value) {
                return false;
            }
        }
        return true;
    }

    /** A predicate of the address's bytes. */
    @FunctionalInterface
    private interface Answer {
        GoValue of(byte[] address) throws GoCallException;
    }

    private static void method(GoType ip, String name, String signature, Answer answer) {
        ip.addMethod(new GoType.Method(name, GoTypeParser.parseFunction(signature, ip), false, (_, arguments) -> {
            return answer.of(WellKnownTypes.address((GoSlice) arguments.getFirst()));
        }));
    }

    private static void test(GoType ip, String name, Predicate<byte[]> ipv4Rule, Predicate<byte[]> ipv6Rule) {
        method(ip, name, "func() bool", address -> {
            byte[] ipv4 = IpAddressFormat.ipv4(address);
            return GoBool.of(ipv4 == null ? address.length == 16 && ipv6Rule.test(address) : ipv4Rule.test(ipv4));
        });
    }

    private static GoSlice slice(GoType ip, byte @Nullable [] address) {
        return new GoSlice(ip, address == null ? null : WellKnownTypes.bytesOf(address));
    }

    private static byte[] comparable(byte[] address) {
        byte[] ipv4 = IpAddressFormat.ipv4(address);
        return ipv4 == null ? address : ipv4;
    }

    private static GoValue marshal(byte[] address) throws GoCallException {
        if (address.length != 0 && address.length != 4 && address.length != 16) {
            throw new GoCallException("address " + HexFormat.of().formatHex(address) + ": invalid IP address");
        }
        String text = address.length == 0 ? "" : IpAddressFormat.format(address);
        return new GoSlice(GoType.BYTES, WellKnownTypes.bytesOf(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
