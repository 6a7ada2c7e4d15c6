package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoTimeTypes;
import io.osmhub.core.golang.time.GoZone;
import io.osmhub.core.template.sprig.SprigFunctions.FunctionRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dates and durations. Clock and local zone are those of the environment. */
public final class DateFunctions {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final String HTML_DATE = "2006-01-02";

    private DateFunctions() {}

    public static void addTo(FunctionRegistry registry) {
        GoType time = GoTimeTypes.TIME;
        registry.add("now", GoTypeParser.parseFunction("func() time.Time", time), (env, _) -> now(env).value());
        registry.add("ago", "func(interface {}) string", (env, args) -> ago(env, args.getFirst()));
        registry.add("date", "func(string, interface {}) string", (env, args) -> format(env, args, "Local"));
        for (String name : List.of("dateInZone", "date_in_zone")) {
            registry.add(name, "func(string, interface {}, string) string", (env, args) -> {
                return format(env, args, text(args.get(2)));
            });
        }
        registry.add("htmlDate", "func(interface {}) string", (env, args) -> {
            return format(env, HTML_DATE, args.getFirst(), "Local");
        });
        registry.add("htmlDateInZone", "func(interface {}, string) string", (env, args) -> {
            return format(env, HTML_DATE, args.get(0), text(args.get(1)));
        });
        GoType modify = GoTypeParser.parseFunction("func(string, time.Time) time.Time", time);
        registry.add("dateModify", modify, (_, args) -> modify(args));
        registry.add("date_modify", modify, (_, args) -> modify(args));
        GoType mustModify = GoTypeParser.parseFunction("func(string, time.Time) (time.Time, error)", time);
        registry.add("mustDateModify", mustModify, (_, args) -> mustModify(args));
        registry.add("must_date_modify", mustModify, (_, args) -> mustModify(args));
        registry.add(
                "toDate", GoTypeParser.parseFunction("func(string, string) time.Time", time), DateFunctions::toDate);
        registry.add(
                "mustToDate",
                GoTypeParser.parseFunction("func(string, string) (time.Time, error)", time),
                DateFunctions::mustToDate);
        registry.add("unixEpoch", GoTypeParser.parseFunction("func(time.Time) string", time), (_, args) -> {
            return GoString.ofBytes(
                    Long.toString(GoTimeTypes.time(args.getFirst()).seconds()));
        });
        registry.add("duration", "func(interface {}) string", (_, args) -> duration(args.getFirst()));
        registry.add("durationRound", "func(interface {}) string", (env, args) -> rounded(env, args.getFirst()));
    }

    private static String text(GoValue string) {
        return ((GoString) string).bytes();
    }

    private static GoTime now(ExecutionEnvironment environment) {
        return GoTime.local(environment.now(), environment.zone());
    }

    private static boolean isTime(GoValue value) {
        return value instanceof GoOpaque && value.type().equals(GoTimeTypes.TIME);
    }

    /** The number of an {@code int64}, {@code int} or, if requested, {@code int32}; null for other values. */
    private static @Nullable Long seconds(GoValue value, boolean alsoInt32) {
        boolean counts = value instanceof GoInt
                && (value.type().equals(GoType.INT64)
                        || value.type().equals(GoType.INT)
                        || alsoInt32 && value.type().equals(GoType.INT32));
        return counts ? ((GoInt) value).value() : null;
    }

    private static GoValue format(ExecutionEnvironment environment, List<GoValue> arguments, String zone)
            throws GoCallException {
        return format(environment, text(arguments.get(0)), arguments.get(1), zone);
    }

    /** A value that is neither time nor number means now, and an unknown zone UTC. */
    private static GoValue format(ExecutionEnvironment environment, String layout, GoValue date, String zoneName)
            throws GoCallException {
        environment.charge(layout.length(), 10L * layout.length());
        GoZone zone = GoZone.load(zoneName, environment.zone());
        GoTime time = now(environment);
        Long seconds = seconds(date, true);
        if (isTime(date)) {
            time = GoTimeTypes.time(date);
        } else if (date instanceof GoPointer pointer && pointer.type().equals(GoType.pointerTo(GoTimeTypes.TIME))) {
            if (pointer.target() == null) {
                throw new GoCallException("runtime error: invalid memory address or nil pointer dereference");
            }
            time = GoTimeTypes.time(pointer.target());
        } else if (seconds != null) {
            time = new GoTime(seconds, 0, time.zone());
        }
        return GoString.ofBytes(time.in(zone == null ? GoZone.UTC : zone).format(layout));
    }

    private static GoValue ago(ExecutionEnvironment environment, GoValue date) {
        GoTime now = now(environment);
        GoTime time = now;
        Long seconds = seconds(date, false);
        if (isTime(date)) {
            time = GoTimeTypes.time(date);
        } else if (seconds != null) {
            time = new GoTime(seconds, 0, now.zone());
        }
        return GoString.ofBytes(GoDuration.text(GoDuration.round(now.minus(time), SECOND)));
    }

    private static GoValue modify(List<GoValue> arguments) {
        try {
            return mustModify(arguments);
        } catch (GoCallException unreadable) {
            // The lenient variant returns the date unchanged.
            return arguments.get(1);
        }
    }

    private static GoValue mustModify(List<GoValue> arguments) throws GoCallException {
        long duration = GoDuration.parse(text(arguments.get(0)));
        return GoTimeTypes.time(arguments.get(1)).plus(duration).value();
    }

    private static GoValue toDate(ExecutionEnvironment environment, List<GoValue> arguments) {
        try {
            return mustToDate(environment, arguments);
        } catch (GoCallException unreadable) {
            // The lenient variant returns the zero time.
            return GoTime.ZERO.value();
        }
    }

    private static GoValue mustToDate(ExecutionEnvironment environment, List<GoValue> arguments)
            throws GoCallException {
        String layout = text(arguments.get(0));
        environment.charge(layout.length(), 10L * layout.length());
        return GoTime.parseLocal(layout, text(arguments.get(1)), environment.zone())
                .value();
    }

    /** Seconds as a duration's text; only a string and an {@code int64} count. */
    private static GoValue duration(GoValue value) {
        long seconds = 0;
        if (value.type().equals(GoType.STRING)) {
            // Out of range gives the nearest value, which Go's parser returns with its error.
            seconds = GoNumbers.readInt(text(value), 10, 64).value();
        } else if (value.type().equals(GoType.INT64)) {
            seconds = ((GoInt) value).value();
        }
        return GoString.ofBytes(GoDuration.text(seconds * SECOND));
    }

    /** The largest unit with a value above one, truncated. */
    private static GoValue rounded(ExecutionEnvironment environment, GoValue value) {
        long nanos = nanos(environment, value);
        long size = nanos < 0 ? -nanos : nanos;
        long[] units = {365 * DAY, 30 * DAY, DAY, HOUR, MINUTE, SECOND};
        List<String> names = List.of("y", "mo", "d", "h", "m", "s");
        for (int i = 0; i < units.length; i++) {
            if (Long.compareUnsigned(size, units[i]) > 0) {
                return GoString.ofBytes(Long.divideUnsigned(size, units[i]) + names.get(i));
            }
        }
        return GoString.ofBytes("0s");
    }

    private static long nanos(ExecutionEnvironment environment, GoValue value) {
        if (value.type().equals(GoType.STRING)) {
            try {
                return GoDuration.parse(text(value));
            } catch (GoCallException unreadable) {
                return 0;
            }
        }
        if (value.type().equals(GoType.INT64)) {
            return ((GoInt) value).value();
        }
        return isTime(value) ? now(environment).minus(GoTimeTypes.time(value)) : 0;
    }
}
