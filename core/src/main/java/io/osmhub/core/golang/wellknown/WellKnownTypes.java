package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoKind;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoStruct;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTimeTypes;
import java.util.List;

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
        ERROR_STRING.addMethod(
                new GoType.Method("Error", GoTypeParser.parseFunction("func() string"), true, (_, arguments) -> {
                    return arguments.getFirst() instanceof GoPointer pointer
                                    && pointer.target() instanceof GoStruct error
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
        META_DURATION.addMethod(
                new GoType.Method("String", GoTypeParser.parseFunction("func() string"), true, (_, arguments) -> {
                    return GoString.ofBytes(
                            arguments.getFirst() instanceof GoPointer pointer
                                            && pointer.target() instanceof GoStruct duration
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
}
