package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.TimeTypes;
import java.util.List;

/** Makes values of the well-known types. */
public final class WellKnown {
    /** {@code net.IP}: bytes, four or sixteen of them, or none. */
    public static final Type IP = Type.named("net.IP", Type.BYTES);

    /** {@code []net.IP}. */
    public static final Type IPS = Type.sliceOf(IP);

    /**
     * {@code metav1.Duration}, a struct around a {@code time.Duration}. It has the duration's methods but for {@code String}:
     * that one is generated for pointers to it, and so a pointer prints {@code &Duration{Duration:1h30m0s,}}.
     */
    public static final Type META_DURATION =
            Type.struct("v1.Duration", List.of(new Type.Field("Duration", TimeTypes.DURATION)));

    /** What {@code errors.New} makes, by pointer. */
    public static final Type ERROR_STRING =
            Type.struct("errors.errorString", List.of(new Type.Field("s", Type.STRING)));

    static {
        IpMethods.define(IP);
        defineMetaDuration();
        ERROR_STRING.with(new Type.Method("Error", Signatures.func("func() string"), true, (_, arguments) -> {
            return arguments.getFirst() instanceof Pointer pointer && pointer.target() instanceof Struct error
                    ? error.field(0)
                    : Str.EMPTY;
        }));
    }

    private WellKnown() {}

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
            Type.Method promoted = TimeTypes.DURATION.method(name);
            if (promoted != null) {
                META_DURATION.with(new Type.Method(name, promoted.signature(), false, (environment, arguments) -> {
                    List<Value> rest = arguments.subList(1, arguments.size());
                    Value duration = ((Struct) arguments.getFirst()).field(0);
                    return promoted.code()
                            .call(environment, rest.isEmpty() ? List.of(duration) : List.of(duration, rest.getFirst()));
                }));
            }
        }
        META_DURATION.with(new Type.Method("String", Signatures.func("func() string"), true, (_, arguments) -> {
            return Str.ofBytes(
                    arguments.getFirst() instanceof Pointer pointer && pointer.target() instanceof Struct duration
                            ? "&Duration{Duration:" + GoDuration.text(nanos(duration)) + ",}"
                            : "nil");
        }));
    }

    /** A {@code metav1.Duration}. */
    public static Struct metaDuration(long nanos) {
        return Struct.of(META_DURATION, List.of(TimeTypes.duration(nanos)));
    }

    /** The nanoseconds of a {@code metav1.Duration}. */
    public static long nanos(Struct metaDuration) {
        return ((Int) metaDuration.field(0)).value();
    }

    /** An error value, as {@code errors.New} makes it. */
    public static Pointer error(String textBytes) {
        return Pointer.to(Struct.of(ERROR_STRING, List.of(Str.ofBytes(textBytes))));
    }

    /** {@code net.ParseIP}: nil for what is no address. */
    public static Slice ip(String text) {
        byte[] address = IpText.parse(text);
        return address == null ? new Slice(IP, null) : new Slice(IP, bytesOf(address));
    }

    /** A {@code []net.IP}, each as {@link #ip} reads it. */
    public static Slice ips(List<String> texts) {
        return new Slice(IPS, texts.stream().<Value>map(WellKnown::ip).toList());
    }

    /** {@code IP.String}. */
    public static String ipText(Slice ip) {
        return IpText.of(address(ip));
    }

    static List<Value> bytesOf(byte[] bytes) {
        Value[] items = new Value[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            items[i] = new Int(Type.UINT8, bytes[i] & 0xFF);
        }
        return List.of(items);
    }

    static byte[] address(Slice ip) {
        byte[] address = new byte[ip.length()];
        for (int i = 0; i < address.length; i++) {
            if (ip.elements().get(i) instanceof Int item && item.kind() == Kind.UINT8) {
                address[i] = (byte) item.value();
            }
        }
        return address;
    }
}
