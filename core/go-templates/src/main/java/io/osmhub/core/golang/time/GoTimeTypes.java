package io.osmhub.core.golang.time;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.time.TimeLayout.CalendarNames;
import java.util.ArrayList;
import java.util.List;

/** The types of Go's {@code time} with the methods for templates: those with one result, or with one and an error. */
public final class GoTimeTypes {
    /** {@code time.Month}. */
    public static final GoType MONTH = GoType.named("time.Month", GoType.INT);

    /** {@code time.Weekday}. */
    public static final GoType WEEKDAY = GoType.named("time.Weekday", GoType.INT);

    /** {@code time.Duration}; its values are {@link GoInt}s of nanoseconds. */
    public static final GoType DURATION = GoType.named("time.Duration", GoType.INT64);

    /** {@code time.Location}; its values are {@link GoOpaque} with a {@link GoZone}, and Go holds them by pointer. */
    public static final GoType LOCATION =
            GoType.struct("time.Location", List.of(new GoType.Field("name", GoType.STRING)));

    private static final GoType LOCATION_POINTER = GoType.pointerTo(LOCATION);

    /** {@code time.Time}; its values are {@link GoOpaque} with a {@link GoTime}. */
    public static final GoType TIME = GoType.struct(
            "time.Time",
            List.of(
                    new GoType.Field("wall", GoType.UINT64),
                    new GoType.Field("ext", GoType.INT64),
                    new GoType.Field("loc", LOCATION_POINTER)));

    static {
        method(
                MONTH,
                "String",
                GoType.STRING,
                (_, it) -> GoString.ofBytes(name(number(it), 1, CalendarNames.MONTHS, "Month")));
        method(
                WEEKDAY,
                "String",
                GoType.STRING,
                (_, it) -> GoString.ofBytes(name(number(it), 0, CalendarNames.DAYS, "Weekday")));
        LOCATION.addMethod(new GoType.Method("String", signature(GoType.STRING), true, (_, arguments) -> {
            return GoString.ofBytes(zone(arguments.getFirst()).name());
        }));
        defineDuration();
        defineTimeParts();
        defineTimeArithmetic();
        defineTimeTexts();
    }

    private GoTimeTypes() {}

    /** A {@code time.Duration}. */
    public static GoInt duration(long nanos) {
        return new GoInt(DURATION, nanos);
    }

    /** The {@link GoTime} of a {@code time.Time} value. */
    public static GoTime time(GoValue value) {
        return (GoTime) ((GoOpaque) value).payload();
    }

    /** A method without parameters. */
    @FunctionalInterface
    private interface Getter {
        GoValue get(ExecutionEnvironment environment, GoValue receiver) throws GoCallException;
    }

    private static GoType signature(GoType result, GoType... parameters) {
        return GoType.func(List.of(parameters), false, result);
    }

    private static void method(GoType type, String name, GoType result, Getter getter) {
        type.addMethod(new GoType.Method(
                name,
                signature(result),
                false,
                (environment, arguments) -> getter.get(environment, arguments.getFirst())));
    }

    /** A method with one parameter. */
    @FunctionalInterface
    private interface Operator {
        GoValue apply(GoValue receiver, GoValue argument) throws GoCallException;
    }

    private static void operator(GoType type, String name, GoType result, GoType parameter, Operator operator) {
        type.addMethod(new GoType.Method(
                name,
                signature(result, parameter),
                false,
                (_, arguments) -> operator.apply(arguments.get(0), arguments.get(1))));
    }

    private static long number(GoValue value) {
        return ((GoInt) value).value();
    }

    private static GoZone zone(GoValue pointer) throws GoCallException {
        return switch (((GoPointer) pointer).target()) {
            // Go treats a nil location as UTC.
            case null -> GoZone.UTC;
            case GoOpaque location -> (GoZone) location.payload();
            default -> throw new GoCallException("no location");
        };
    }

    private static String name(long number, int first, List<String> names, String type) {
        long index = number - first;
        return index >= 0 && index < names.size()
                ? names.get((int) index)
                : "%!" + type + "(" + Long.toUnsignedString(number) + ")";
    }

    private static void defineDuration() {
        method(DURATION, "String", GoType.STRING, (_, it) -> GoString.ofBytes(GoDuration.text(number(it))));
        method(DURATION, "Nanoseconds", GoType.INT64, (_, it) -> GoInt.int64(number(it)));
        method(DURATION, "Microseconds", GoType.INT64, (_, it) -> GoInt.int64(number(it) / GoDuration.MICROSECOND));
        method(DURATION, "Milliseconds", GoType.INT64, (_, it) -> GoInt.int64(number(it) / GoDuration.MILLISECOND));
        method(
                DURATION,
                "Seconds",
                GoType.FLOAT64,
                (_, it) -> GoFloat.of(GoDuration.in(number(it), GoDuration.SECOND)));
        method(
                DURATION,
                "Minutes",
                GoType.FLOAT64,
                (_, it) -> GoFloat.of(GoDuration.in(number(it), GoDuration.MINUTE)));
        method(DURATION, "Hours", GoType.FLOAT64, (_, it) -> GoFloat.of(GoDuration.in(number(it), GoDuration.HOUR)));
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
        method(TIME, "Year", GoType.INT, (_, it) -> GoInt.of(time(it).civil().year()));
        method(
                TIME,
                "Month",
                MONTH,
                (_, it) -> new GoInt(MONTH, time(it).civil().month()));
        method(TIME, "Day", GoType.INT, (_, it) -> GoInt.of(time(it).civil().day()));
        method(TIME, "YearDay", GoType.INT, (_, it) -> GoInt.of(time(it).civil().dayOfYear()));
        method(TIME, "Weekday", WEEKDAY, (_, it) -> new GoInt(WEEKDAY, time(it).weekday()));
        method(TIME, "Hour", GoType.INT, (_, it) -> GoInt.of(time(it).civil().hour()));
        method(TIME, "Minute", GoType.INT, (_, it) -> GoInt.of(time(it).civil().minute()));
        method(TIME, "Second", GoType.INT, (_, it) -> GoInt.of(time(it).civil().second()));
        method(TIME, "Nanosecond", GoType.INT, (_, it) -> GoInt.of(time(it).nanos()));
        method(TIME, "Unix", GoType.INT64, (_, it) -> GoInt.int64(time(it).seconds()));
        method(TIME, "UnixMilli", GoType.INT64, (_, it) -> GoInt.int64(since1970(time(it), GoDuration.MILLISECOND)));
        method(TIME, "UnixMicro", GoType.INT64, (_, it) -> GoInt.int64(since1970(time(it), GoDuration.MICROSECOND)));
        method(TIME, "UnixNano", GoType.INT64, (_, it) -> GoInt.int64(since1970(time(it), 1)));
        method(TIME, "IsZero", GoType.BOOL, (_, it) -> GoBool.of(time(it).isZero()));
        method(TIME, "IsDST", GoType.BOOL, (_, it) -> {
            return GoBool.of(time(it).zone().at(time(it).seconds()).daylightSaving());
        });
        method(TIME, "Location", LOCATION_POINTER, (_, it) -> location(time(it).zone()));
    }

    private static long since1970(GoTime time, long unit) {
        return time.seconds() * (GoDuration.SECOND / unit) + time.nanos() / unit;
    }

    private static GoPointer location(GoZone zone) {
        return GoPointer.to(new GoOpaque(LOCATION, zone));
    }

    private static void defineTimeArithmetic() {
        operator(TIME, "Add", TIME, DURATION, (it, by) -> time(it).plus(number(by))
                .value());
        operator(TIME, "Sub", DURATION, TIME, (it, from) -> duration(time(it).minus(time(from))));
        operator(TIME, "After", GoType.BOOL, TIME, (it, that) -> GoBool.of(time(it).compareTo(time(that)) > 0));
        operator(TIME, "Before", GoType.BOOL, TIME, (it, that) -> GoBool.of(time(it).compareTo(time(that)) < 0));
        operator(TIME, "Equal", GoType.BOOL, TIME, (it, that) -> GoBool.of(time(it).compareTo(time(that)) == 0));
        operator(TIME, "Compare", GoType.INT, TIME, (it, that) -> GoInt.of(time(it).compareTo(time(that))));
        operator(TIME, "Truncate", TIME, DURATION, (it, to) -> time(it).truncate(number(to))
                .value());
        operator(TIME, "Round", TIME, DURATION, (it, to) -> time(it).round(number(to))
                .value());
        TIME.addMethod(new GoType.Method(
                "AddDate",
                signature(TIME, GoType.INT, GoType.INT, GoType.INT),
                false,
                (_, arguments) -> time(arguments.get(0))
                        .plusDate(number(arguments.get(1)), number(arguments.get(2)), number(arguments.get(3)))
                        .value()));
        method(TIME, "UTC", TIME, (_, it) -> time(it).in(GoZone.UTC).value());
        operator(TIME, "In", TIME, LOCATION_POINTER, (it, place) -> {
            if (place instanceof GoPointer pointer && pointer.isNil()) {
                throw new GoCallException("time: missing Location in call to Time.In");
            }
            return time(it).in(zone(place)).value();
        });
    }

    private static void defineTimeTexts() {
        method(TIME, "String", GoType.STRING, (_, it) -> GoString.ofBytes(time(it).text()));
        method(TIME, "GoString", GoType.STRING, (_, it) -> GoString.ofBytes(time(it).goText()));
        TIME.addMethod(new GoType.Method(
                "Format", signature(GoType.STRING, GoType.STRING), false, (environment, arguments) -> {
                    String layout = ((GoString) arguments.get(1)).bytes();
                    environment.charge(layout.length(), 10L * layout.length());
                    return GoString.ofBytes(time(arguments.get(0)).format(layout));
                }));
        TIME.addMethod(new GoType.Method(
                "AppendFormat",
                signature(GoType.BYTES, GoType.BYTES, GoType.STRING),
                false,
                (environment, arguments) -> {
                    String layout = ((GoString) arguments.get(2)).bytes();
                    environment.charge(layout.length(), 100L * layout.length());
                    List<GoValue> bytes = new ArrayList<>(((GoSlice) arguments.get(1)).elements());
                    return bytes(bytes, time(arguments.get(0)).format(layout));
                }));
        method(TIME, "MarshalJSON", GoType.BYTES, (_, it) -> {
            return bytes(new ArrayList<>(), "\"" + rfc3339(time(it), "MarshalJSON") + "\"");
        });
        method(
                TIME,
                "MarshalText",
                GoType.BYTES,
                (_, it) -> bytes(new ArrayList<>(), rfc3339(time(it), "MarshalText")));
    }

    private static String rfc3339(GoTime time, String method) throws GoCallException {
        long year = time.civil().year();
        if (year < 0 || year > 9999) {
            throw new GoCallException("Time." + method + ": year outside of range [0,9999]");
        }
        return time.format(GoTime.RFC_3339_NANO);
    }

    private static GoSlice bytes(List<GoValue> start, String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            start.add(new GoInt(GoType.UINT8, bytes.charAt(i)));
        }
        return new GoSlice(GoType.BYTES, start);
    }
}
