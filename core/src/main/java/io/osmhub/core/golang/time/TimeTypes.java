package io.osmhub.core.golang.time;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The types of Go's {@code time} with the methods that a template can call: those with one result, or with one and an error.
 */
public final class TimeTypes {
    /** {@code time.Month}. */
    public static final Type MONTH = Type.named("time.Month", Type.INT);

    /** {@code time.Weekday}. */
    public static final Type WEEKDAY = Type.named("time.Weekday", Type.INT);

    /** {@code time.Duration}; its values are {@link Int}s of nanoseconds. */
    public static final Type DURATION = Type.named("time.Duration", Type.INT64);

    /** {@code time.Location}; its values are {@link Opaque} with a {@link GoZone}, and Go holds them by pointer. */
    public static final Type LOCATION = Type.struct("time.Location", List.of(new Type.Field("name", Type.STRING)));

    private static final Type LOCATION_POINTER = Type.pointerTo(LOCATION);

    /** {@code time.Time}; its values are {@link Opaque} with a {@link GoTime}. */
    public static final Type TIME = Type.struct(
            "time.Time",
            List.of(
                    new Type.Field("wall", Type.UINT64),
                    new Type.Field("ext", Type.INT64),
                    new Type.Field("loc", LOCATION_POINTER)));

    static {
        method(MONTH, "String", Type.STRING, (_, it) -> Str.ofBytes(name(number(it), 1, Names.MONTHS, "Month")));
        method(WEEKDAY, "String", Type.STRING, (_, it) -> Str.ofBytes(name(number(it), 0, Names.DAYS, "Weekday")));
        LOCATION.with(new Type.Method("String", signature(Type.STRING), true, (_, arguments) -> {
            return Str.ofBytes(zone(arguments.getFirst()).name());
        }));
        defineDuration();
        defineTimeParts();
        defineTimeArithmetic();
        defineTimeTexts();
    }

    private TimeTypes() {}

    /** A {@code time.Duration}. */
    public static Int duration(long nanos) {
        return new Int(DURATION, nanos);
    }

    /** The moment that a {@code time.Time} value is. */
    public static GoTime time(Value value) {
        return (GoTime) ((Opaque) value).payload();
    }

    /** A method without parameters. */
    @FunctionalInterface
    private interface Getter {
        Value get(Environment environment, Value receiver) throws CallFailure;
    }

    private static Type signature(Type result, Type... parameters) {
        return Type.func(List.of(parameters), false, result);
    }

    private static void method(Type type, String name, Type result, Getter getter) {
        type.with(new Type.Method(
                name,
                signature(result),
                false,
                (environment, arguments) -> getter.get(environment, arguments.getFirst())));
    }

    /** A method with one parameter. */
    @FunctionalInterface
    private interface Operator {
        Value apply(Value receiver, Value argument) throws CallFailure;
    }

    private static void operator(Type type, String name, Type result, Type parameter, Operator operator) {
        type.with(new Type.Method(
                name,
                signature(result, parameter),
                false,
                (_, arguments) -> operator.apply(arguments.get(0), arguments.get(1))));
    }

    private static long number(Value value) {
        return ((Int) value).value();
    }

    private static GoZone zone(Value pointer) throws CallFailure {
        return switch (((Pointer) pointer).target()) {
            // Go takes a nil location for UTC.
            case null -> GoZone.UTC;
            case Opaque location -> (GoZone) location.payload();
            default -> throw new CallFailure("no location");
        };
    }

    private static String name(long number, int first, List<String> names, String type) {
        long index = number - first;
        return index >= 0 && index < names.size()
                ? names.get((int) index)
                : "%!" + type + "(" + Long.toUnsignedString(number) + ")";
    }

    private static void defineDuration() {
        method(DURATION, "String", Type.STRING, (_, it) -> Str.ofBytes(GoDuration.text(number(it))));
        method(DURATION, "Nanoseconds", Type.INT64, (_, it) -> Int.int64(number(it)));
        method(DURATION, "Microseconds", Type.INT64, (_, it) -> Int.int64(number(it) / GoDuration.MICROSECOND));
        method(DURATION, "Milliseconds", Type.INT64, (_, it) -> Int.int64(number(it) / GoDuration.MILLISECOND));
        method(DURATION, "Seconds", Type.FLOAT64, (_, it) -> Flt.of(GoDuration.in(number(it), GoDuration.SECOND)));
        method(DURATION, "Minutes", Type.FLOAT64, (_, it) -> Flt.of(GoDuration.in(number(it), GoDuration.MINUTE)));
        method(DURATION, "Hours", Type.FLOAT64, (_, it) -> Flt.of(GoDuration.in(number(it), GoDuration.HOUR)));
        method(DURATION, "Abs", DURATION, (_, it) -> {
            long nanos = number(it);
            return duration(nanos == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(nanos));
        });
        operator(DURATION, "Round", DURATION, DURATION, (it, to) -> duration(GoDuration.round(number(it), number(to))));
        operator(DURATION, "Truncate", DURATION, DURATION, (it, to) -> {
            return duration(GoDuration.truncate(number(it), number(to)));
        });
    }

    private static void defineTimeParts() {
        method(TIME, "Year", Type.INT, (_, it) -> Int.of(time(it).civil().year()));
        method(TIME, "Month", MONTH, (_, it) -> new Int(MONTH, time(it).civil().month()));
        method(TIME, "Day", Type.INT, (_, it) -> Int.of(time(it).civil().day()));
        method(TIME, "YearDay", Type.INT, (_, it) -> Int.of(time(it).civil().dayOfYear()));
        method(TIME, "Weekday", WEEKDAY, (_, it) -> new Int(WEEKDAY, time(it).weekday()));
        method(TIME, "Hour", Type.INT, (_, it) -> Int.of(time(it).civil().hour()));
        method(TIME, "Minute", Type.INT, (_, it) -> Int.of(time(it).civil().minute()));
        method(TIME, "Second", Type.INT, (_, it) -> Int.of(time(it).civil().second()));
        method(TIME, "Nanosecond", Type.INT, (_, it) -> Int.of(time(it).nanos()));
        method(TIME, "Unix", Type.INT64, (_, it) -> Int.int64(time(it).seconds()));
        method(TIME, "UnixMilli", Type.INT64, (_, it) -> Int.int64(since1970(time(it), GoDuration.MILLISECOND)));
        method(TIME, "UnixMicro", Type.INT64, (_, it) -> Int.int64(since1970(time(it), GoDuration.MICROSECOND)));
        method(TIME, "UnixNano", Type.INT64, (_, it) -> Int.int64(since1970(time(it), 1)));
        method(TIME, "IsZero", Type.BOOL, (_, it) -> Bool.of(time(it).isZero()));
        method(TIME, "IsDST", Type.BOOL, (_, it) -> {
            return Bool.of(time(it).zone().at(time(it).seconds()).daylightSaving());
        });
        method(TIME, "Location", LOCATION_POINTER, (_, it) -> location(time(it).zone()));
    }

    private static long since1970(GoTime time, long unit) {
        return time.seconds() * (GoDuration.SECOND / unit) + time.nanos() / unit;
    }

    private static Pointer location(GoZone zone) {
        return Pointer.to(new Opaque(LOCATION, zone));
    }

    private static void defineTimeArithmetic() {
        operator(TIME, "Add", TIME, DURATION, (it, by) -> time(it).plus(number(by))
                .value());
        operator(TIME, "Sub", DURATION, TIME, (it, from) -> duration(time(it).minus(time(from))));
        operator(TIME, "After", Type.BOOL, TIME, (it, that) -> Bool.of(time(it).compareTo(time(that)) > 0));
        operator(TIME, "Before", Type.BOOL, TIME, (it, that) -> Bool.of(time(it).compareTo(time(that)) < 0));
        operator(TIME, "Equal", Type.BOOL, TIME, (it, that) -> Bool.of(time(it).compareTo(time(that)) == 0));
        operator(TIME, "Compare", Type.INT, TIME, (it, that) -> Int.of(time(it).compareTo(time(that))));
        operator(TIME, "Truncate", TIME, DURATION, (it, to) -> time(it).truncate(number(to))
                .value());
        operator(TIME, "Round", TIME, DURATION, (it, to) -> time(it).round(number(to))
                .value());
        TIME.with(new Type.Method(
                "AddDate", signature(TIME, Type.INT, Type.INT, Type.INT), false, (_, arguments) -> time(arguments.get(
                                0))
                        .plusDate(number(arguments.get(1)), number(arguments.get(2)), number(arguments.get(3)))
                        .value()));
        method(TIME, "UTC", TIME, (_, it) -> time(it).in(GoZone.UTC).value());
        method(TIME, "Local", TIME, (environment, it) -> {
            return time(it).in(GoZone.local(environment.zone())).value();
        });
        operator(TIME, "In", TIME, LOCATION_POINTER, (it, place) -> {
            if (place instanceof Pointer pointer && pointer.isNil()) {
                throw new CallFailure("time: missing Location in call to Time.In");
            }
            return time(it).in(zone(place)).value();
        });
    }

    private static void defineTimeTexts() {
        method(TIME, "String", Type.STRING, (_, it) -> Str.ofBytes(time(it).text()));
        method(TIME, "GoString", Type.STRING, (_, it) -> Str.ofBytes(time(it).goText()));
        TIME.with(new Type.Method("Format", signature(Type.STRING, Type.STRING), false, (environment, arguments) -> {
            String layout = ((Str) arguments.get(1)).bytes();
            environment.charge(layout.length(), 10L * layout.length());
            return Str.ofBytes(time(arguments.get(0)).format(layout));
        }));
        TIME.with(new Type.Method(
                "AppendFormat", signature(Type.BYTES, Type.BYTES, Type.STRING), false, (environment, arguments) -> {
                    String layout = ((Str) arguments.get(2)).bytes();
                    environment.charge(layout.length(), 100L * layout.length());
                    List<Value> bytes = new ArrayList<>(((Slice) arguments.get(1)).elements());
                    return bytes(bytes, time(arguments.get(0)).format(layout));
                }));
        method(TIME, "MarshalJSON", Type.BYTES, (_, it) -> {
            return bytes(new ArrayList<>(), "\"" + rfc3339(time(it), "MarshalJSON") + "\"");
        });
        method(TIME, "MarshalText", Type.BYTES, (_, it) -> bytes(new ArrayList<>(), rfc3339(time(it), "MarshalText")));
    }

    private static String rfc3339(GoTime time, String method) throws CallFailure {
        long year = time.civil().year();
        if (year < 0 || year > 9999) {
            throw new CallFailure("Time." + method + ": year outside of range [0,9999]");
        }
        return time.format(GoTime.RFC_3339_NANO);
    }

    private static Slice bytes(List<Value> start, String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            start.add(new Int(Type.UINT8, bytes.charAt(i)));
        }
        return new Slice(Type.BYTES, start);
    }
}
