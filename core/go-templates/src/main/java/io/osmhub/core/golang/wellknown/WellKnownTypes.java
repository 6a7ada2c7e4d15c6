package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTimeTypes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Creates values of the well-known types. */
public final class WellKnownTypes {
    /** {@code net.IP}: bytes, four or sixteen of them, or none. */
    public static final GoType IP = GoType.named("net.IP", GoType.BYTES);

    /** {@code []net.IP}. */
    public static final GoType IPS = GoType.sliceOf(IP);

    /**
     * {@code metav1.Duration}, a struct around a {@code time.Duration}. It has the duration's methods except {@code String}, which
     * is generated for pointers to it, so that a pointer prints {@code &Duration{Duration:1h30m0s,}}.
     */
    public static final GoType META_DURATION =
            GoType.struct("v1.Duration", List.of(new GoType.Field("Duration", GoTimeTypes.DURATION)));

    /** The type of {@code errors.New}'s results, by pointer. */
    public static final GoType ERROR_STRING =
            GoType.struct("errors.errorString", List.of(new GoType.Field("s", GoType.STRING)));

    static {
        IpMethods.define(IP);
        defineMetaDuration();
        ERROR_STRING.addMethod(new GoType.Method("Error", GoType.function(GoType.STRING), true, (_, arguments) -> {
            return arguments.getFirst() instanceof GoPointer pointer && pointer.target() instanceof GoStruct error
                    ? error.field(0)
                    : GoString.EMPTY;
        }));
    }

    private WellKnownTypes() {}

    private static void defineMetaDuration() {
        for (String name : List.of(
                "Nanoseconds",
                "Microseconds",
                "Milliseconds",
                "Seconds",
                "Minutes",
                "Hours",
                "Abs",
                "Round",
                "Truncate")) {
            GoType.Method promoted = GoTimeTypes.DURATION.method(name);
            if (promoted != null) {
                META_DURATION.addMethod(
                        new GoType.Method(name, promoted.signature(), false, (environment, arguments) -> {
                            List<GoValue> rest = arguments.subList(1, arguments.size());
                            GoValue duration = ((GoStruct) arguments.getFirst()).field(0);
                            return promoted.code()
                                    .call(
                                            environment,
                                            rest.isEmpty() ? List.of(duration) : List.of(duration, rest.getFirst()));
                        }));
            }
        }
        META_DURATION.addMethod(new GoType.Method("String", GoType.function(GoType.STRING), true, (_, arguments) -> {
            return GoString.ofBytes(
                    arguments.getFirst() instanceof GoPointer pointer && pointer.target() instanceof GoStruct duration
                            ? "&Duration{Duration:" + GoDuration.text(nanos(duration)) + ",}"
                            : "nil");
        }));
    }

    /** A {@code metav1.Duration}. */
    public static GoStruct metaDuration(long nanos) {
        return GoStruct.of(META_DURATION, List.of(GoTimeTypes.duration(nanos)));
    }

    /** The nanoseconds of a {@code metav1.Duration}. */
    public static long nanos(GoStruct metaDuration) {
        return ((GoInt) metaDuration.field(0)).value();
    }

    /** An error value, as from {@code errors.New}. */
    public static GoPointer error(String textBytes) {
        return GoPointer.to(GoStruct.of(ERROR_STRING, List.of(GoString.ofBytes(textBytes))));
    }

    /** {@code net.ParseIP}: nil if invalid. */
    public static GoSlice ip(String text) {
        byte[] address = IpAddressFormat.parse(text);
        return address == null ? new GoSlice(IP, null) : new GoSlice(IP, bytesOf(address));
    }

    /** A {@code []net.IP}, each as parsed by {@link #ip}. */
    public static GoSlice ips(List<String> texts) {
        return new GoSlice(IPS, texts.stream().<GoValue>map(WellKnownTypes::ip).toList());
    }

    /** {@code IP.String}. */
    public static String ipText(GoSlice ip) {
        return IpAddressFormat.format(address(ip));
    }

    static List<GoValue> bytesOf(byte[] bytes) {
        GoValue[] items = new GoValue[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            items[i] = new GoInt(GoType.UINT8, bytes[i] & 0xFF);
        }
        return List.of(items);
    }

    static byte[] address(GoSlice ip) {
        byte[] address = new byte[ip.length()];
        for (int i = 0; i < address.length; i++) {
            if (ip.elements().get(i) instanceof GoInt item && item.kind() == GoKind.UINT8) {
                address[i] = (byte) item.value();
            }
        }
        return address;
    }

    /** The methods of {@code net.IP} for templates. */
    private static final class IpMethods {
        static void define(GoType ip) {
            method(ip, "String", GoType.STRING, address -> GoString.ofBytes(IpAddressFormat.format(address)));
            method(ip, "MarshalText", GoType.BYTES, IpMethods::marshal);
            method(ip, "To4", ip, address -> slice(ip, IpAddressFormat.ipv4(address)));
            method(ip, "To16", ip, address -> slice(ip, IpAddressFormat.ipv6Form(address)));
            ip.addMethod(new GoType.Method("Equal", GoType.function(GoType.BOOL, ip), false, (_, arguments) -> {
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
                    a -> !isAll(a, 4, 0)
                            && !isAll(a, 4, -1)
                            && a[0] != 127
                            && (a[0] & 0xF0) != 0xE0
                            && !isLinkLocal4(a),
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

        private static void method(GoType ip, String name, GoType result, Answer answer) {
            ip.addMethod(new GoType.Method(name, GoType.function(result), false, (_, arguments) -> {
                return answer.of(WellKnownTypes.address((GoSlice) arguments.getFirst()));
            }));
        }

        private static void test(GoType ip, String name, Predicate<byte[]> ipv4Rule, Predicate<byte[]> ipv6Rule) {
            method(ip, name, GoType.BOOL, address -> {
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
}
