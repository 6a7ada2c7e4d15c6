package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoZone;
import io.osmhub.core.golang.time.TimeTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dates and durations. The clock and the local zone are the environment's. */
public final class Dates {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final String HTML_DATE = "2006-01-02";

    private Dates() {}

    public static void addTo(Registry registry) {
        Type time = TimeTypes.TIME;
        registry.add("now", Signatures.func("func() time.Time", time), (env, _) -> now(env).value());
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
        Type modify = Signatures.func("func(string, time.Time) time.Time", time);
        registry.add("dateModify", modify, (_, args) -> modify(args));
        registry.add("date_modify", modify, (_, args) -> modify(args));
        Type mustModify = Signatures.func("func(string, time.Time) (time.Time, error)", time);
        registry.add("mustDateModify", mustModify, (_, args) -> mustModify(args));
        registry.add("must_date_modify", mustModify, (_, args) -> mustModify(args));
        registry.add("toDate", Signatures.func("func(string, string) time.Time", time), Dates::toDate);
        registry.add("mustToDate", Signatures.func("func(string, string) (time.Time, error)", time), Dates::mustToDate);
        registry.add("unixEpoch", Signatures.func("func(time.Time) string", time), (_, args) -> {
            return Str.ofBytes(Long.toString(TimeTypes.time(args.getFirst()).seconds()));
        });
        registry.add("duration", "func(interface {}) string", (_, args) -> duration(args.getFirst()));
        registry.add("durationRound", "func(interface {}) string", (env, args) -> rounded(env, args.getFirst()));
    }

    private static String text(Value string) {
        return ((Str) string).bytes();
    }

    private static GoTime now(Environment environment) {
        return GoTime.local(environment.now(), environment.zone());
    }

    private static boolean isTime(Value value) {
        return value instanceof Opaque && value.type().equals(TimeTypes.TIME);
    }

    /** The number of an {@code int64}, {@code int} or, where asked for, {@code int32}; null for other values. */
    private static @Nullable Long seconds(Value value, boolean alsoInt32) {
        boolean counts = value instanceof Int
                && (value.type().equals(Type.INT64)
                        || value.type().equals(Type.INT)
                        || alsoInt32 && value.type().equals(Type.INT32));
        return counts ? ((Int) value).value() : null;
    }

    private static Value format(Environment environment, List<Value> arguments, String zone) throws CallFailure {
        return format(environment, text(arguments.get(0)), arguments.get(1), zone);
    }

    /** What is neither time nor number stands for now, and an unknown zone for UTC. */
    private static Value format(Environment environment, String layout, Value date, String zoneName)
            throws CallFailure {
        environment.charge(layout.length(), 10L * layout.length());
        GoZone zone = GoZone.load(zoneName, environment.zone());
        GoTime time = now(environment);
        Long seconds = seconds(date, true);
        if (isTime(date)) {
            time = TimeTypes.time(date);
        } else if (date instanceof Pointer pointer && pointer.type().equals(Type.pointerTo(TimeTypes.TIME))) {
            if (pointer.target() == null) {
                throw new CallFailure("runtime error: invalid memory address or nil pointer dereference");
            }
            time = TimeTypes.time(pointer.target());
        } else if (seconds != null) {
            time = new GoTime(seconds, 0, time.zone());
        }
        return Str.ofBytes(time.in(zone == null ? GoZone.UTC : zone).format(layout));
    }

    private static Value ago(Environment environment, Value date) {
        GoTime now = now(environment);
        GoTime time = now;
        Long seconds = seconds(date, false);
        if (isTime(date)) {
            time = TimeTypes.time(date);
        } else if (seconds != null) {
            time = new GoTime(seconds, 0, now.zone());
        }
        return Str.ofBytes(GoDuration.text(GoDuration.round(now.minus(time), SECOND)));
    }

    private static Value modify(List<Value> arguments) {
        try {
            return mustModify(arguments);
        } catch (CallFailure unreadable) {
            // The forgiving form leaves the date as it is.
            return arguments.get(1);
        }
    }

    private static Value mustModify(List<Value> arguments) throws CallFailure {
        long duration = GoDuration.parse(text(arguments.get(0)));
        return TimeTypes.time(arguments.get(1)).plus(duration).value();
    }

    private static Value toDate(Environment environment, List<Value> arguments) {
        try {
            return mustToDate(environment, arguments);
        } catch (CallFailure unreadable) {
            // The forgiving form answers the zero time.
            return GoTime.ZERO.value();
        }
    }

    private static Value mustToDate(Environment environment, List<Value> arguments) throws CallFailure {
        String layout = text(arguments.get(0));
        environment.charge(layout.length(), 10L * layout.length());
        return GoTime.parseLocal(layout, text(arguments.get(1)), environment.zone())
                .value();
    }

    /** Seconds as a duration's text; only a string and an {@code int64} count. */
    private static Value duration(Value value) {
        long seconds = 0;
        if (value.type().equals(Type.STRING)) {
            // Out of range is the nearest that fits, as Go's parser answers beside its error.
            seconds = GoNumbers.readInt(text(value), 10, 64).value();
        } else if (value.type().equals(Type.INT64)) {
            seconds = ((Int) value).value();
        }
        return Str.ofBytes(GoDuration.text(seconds * SECOND));
    }

    /** The largest unit of which there is more than one, cut off. */
    private static Value rounded(Environment environment, Value value) {
        long nanos = nanos(environment, value);
        long size = nanos < 0 ? -nanos : nanos;
        long[] units = {365 * DAY, 30 * DAY, DAY, HOUR, MINUTE, SECOND};
        List<String> names = List.of("y", "mo", "d", "h", "m", "s");
        for (int i = 0; i < units.length; i++) {
            if (Long.compareUnsigned(size, units[i]) > 0) {
                return Str.ofBytes(Long.divideUnsigned(size, units[i]) + names.get(i));
            }
        }
        return Str.ofBytes("0s");
    }

    private static long nanos(Environment environment, Value value) {
        if (value.type().equals(Type.STRING)) {
            try {
                return GoDuration.parse(text(value));
            } catch (CallFailure unreadable) {
                return 0;
            }
        }
        if (value.type().equals(Type.INT64)) {
            return ((Int) value).value();
        }
        return isTime(value) ? now(environment).minus(TimeTypes.time(value)) : 0;
    }
}
