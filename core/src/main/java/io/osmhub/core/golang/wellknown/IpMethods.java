package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The methods of {@code net.IP} that a template can call. */
final class IpMethods {
    private IpMethods() {}

    static void define(Type ip) {
        method(ip, "String", "func() string", address -> Str.ofBytes(IpText.of(address)));
        method(ip, "MarshalText", "func() ([]uint8, error)", IpMethods::marshal);
        method(ip, "To4", "func() net.IP", address -> slice(ip, IpText.ipv4(address)));
        method(ip, "To16", "func() net.IP", address -> slice(ip, IpText.ipv6Form(address)));
        ip.with(new Type.Method("Equal", Signatures.func("func(net.IP) bool", ip), false, (_, arguments) -> {
            byte[] one = WellKnown.address((Slice) arguments.get(0));
            byte[] other = WellKnown.address((Slice) arguments.get(1));
            return Bool.of(Arrays.equals(comparable(one), comparable(other)));
        }));
        // For an IPv4 address only its own rule counts, for any other the rule of sixteen bytes.
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

    /** What a method makes of the address's bytes. */
    @FunctionalInterface
    private interface Answer {
        Value of(byte[] address) throws CallFailure;
    }

    private static void method(Type ip, String name, String signature, Answer answer) {
        ip.with(new Type.Method(name, Signatures.func(signature, ip), false, (_, arguments) -> {
            return answer.of(WellKnown.address((Slice) arguments.getFirst()));
        }));
    }

    private static void test(Type ip, String name, Predicate<byte[]> ipv4Rule, Predicate<byte[]> ipv6Rule) {
        method(ip, name, "func() bool", address -> {
            byte[] ipv4 = IpText.ipv4(address);
            return Bool.of(ipv4 == null ? address.length == 16 && ipv6Rule.test(address) : ipv4Rule.test(ipv4));
        });
    }

    private static Slice slice(Type ip, byte @Nullable [] address) {
        return new Slice(ip, address == null ? null : WellKnown.bytesOf(address));
    }

    private static byte[] comparable(byte[] address) {
        byte[] ipv4 = IpText.ipv4(address);
        return ipv4 == null ? address : ipv4;
    }

    private static Value marshal(byte[] address) throws CallFailure {
        if (address.length != 0 && address.length != 4 && address.length != 16) {
            throw new CallFailure("address " + HexFormat.of().formatHex(address) + ": invalid IP address");
        }
        String text = address.length == 0 ? "" : IpText.of(address);
        return new Slice(Type.BYTES, WellKnown.bytesOf(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
