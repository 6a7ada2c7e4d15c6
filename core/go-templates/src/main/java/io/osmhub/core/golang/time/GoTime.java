package io.osmhub.core.golang.time;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.text.GoPrint.UnexportedFields;
import io.osmhub.core.golang.time.TimeLayout.CalendarNames;
import io.osmhub.core.golang.time.TimeLayout.TimeLayoutFormatter;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * Go's {@code time.Time}: an instant and the zone in which it is printed. Seconds count from 1970 and wrap as in Go.
 *
 * <p>It has no monotonic reading: {@code {{ now }}} prints without the {@code m=+0.01} that Go appends.
 *
 * @param nanos 0 to 999,999,999
 */
public record GoTime(long seconds, int nanos, GoZone zone) implements UnexportedFields {
    static final long SECONDS_FROM_YEAR_1_TO_1970 = 719_162 * CivilDateTime.SECONDS_PER_DAY;

    /** Go's zero time: the year 1 in UTC. */
    public static final GoTime ZERO = new GoTime(-SECONDS_FROM_YEAR_1_TO_1970, 0, GoZone.UTC);

    public static final String RFC_3339 = "2006-01-02T15:04:05Z07:00";
    public static final String RFC_3339_NANO = "2006-01-02T15:04:05.999999999Z07:00";

    private static final BigInteger BILLION = BigInteger.valueOf(GoDuration.SECOND);

    /** An instant in the environment's zone, as from {@code time.Now} and {@code time.Unix}. */
    public static GoTime local(Instant moment, ZoneId zone) {
        return new GoTime(moment.getEpochSecond(), moment.getNano(), GoZone.local(zone));
    }

    /** {@code time.Date}: values out of range carry over, a wall time is resolved in the zone. */
    public static GoTime of(
            long year, long month, long day, long hour, long minute, long second, long nanos, GoZone zone) {
        long carry = Math.floorDiv(month - 1, 12);
        long wall = CivilDateTime.midnight(year + carry, (int) Math.floorMod(month - 1, 12L) + 1, day)
                + hour * 3600
                + minute * 60
                + second
                + Math.floorDiv(nanos, GoDuration.SECOND);
        int offset = zone.at(wall).seconds();
        long moment = wall - offset;
        // Near a change of the offset, the one at the resulting instant applies.
        moment = wall - zone.at(moment).seconds();
        return new GoTime(moment, (int) Math.floorMod(nanos, GoDuration.SECOND), zone);
    }

    /**
     * {@code time.Parse}, where a text without zone is UTC; layout and text are byte strings.
     *
     * @throws GoCallException with Go's message
     */
    public static GoTime parse(String layout, String text, ZoneId local) throws GoCallException {
        return TimeLayoutParser.read(layout, text, GoZone.UTC, GoZone.local(local));
    }

    /** {@code time.ParseInLocation(layout, text, time.Local)}. */
    public static GoTime parseLocal(String layout, String text, ZoneId local) throws GoCallException {
        GoZone zone = GoZone.local(local);
        return TimeLayoutParser.read(layout, text, zone, zone);
    }

    /** The value for templates, of type {@code time.Time}. */
    public GoOpaque value() {
        return new GoOpaque(GoTimeTypes.TIME, this);
    }

    /** {@code Time.Format}, over byte strings. */
    public String format(String layout) {
        return TimeLayoutFormatter.write(this, layout);
    }

    /** {@code Time.String}. */
    public String text() {
        return format("2006-01-02 15:04:05.999999999 -0700 MST");
    }

    /** {@code Time.GoString}. */
    String goText() {
        CivilDateTime civil = civil();
        String place =
                switch (zone) {
                    case GoZone.Utc _ -> "time.UTC";
                    case GoZone.Local _ -> "time.Local";
                    case GoZone.Fixed fixed -> "time.Location(" + GoDuration.quote(fixed.name()) + ")";
                    case GoZone.Region region -> "time.Location(" + GoDuration.quote(region.name()) + ")";
                };
        return "time.Date(" + civil.year() + ", time." + CalendarNames.MONTHS.get(civil.month() - 1) + ", "
                + civil.day() + ", " + civil.hour() + ", " + civil.minute() + ", " + civil.second() + ", " + nanos
                + ", " + place + ")";
    }

    CivilDateTime civil() {
        return CivilDateTime.of(wallSeconds());
    }

    /** 0 is Sunday. */
    int weekday() {
        return CivilDateTime.weekday(wallSeconds());
    }

    private long wallSeconds() {
        return seconds + zone.at(seconds).seconds();
    }

    public GoTime in(GoZone other) {
        return new GoTime(seconds, nanos, other);
    }

    GoTime plusSeconds(long more) {
        return new GoTime(seconds + more, nanos, zone);
    }

    /** {@code Time.Add}. */
    public GoTime plus(long duration) {
        long sum = nanos + duration % GoDuration.SECOND;
        long carry = Math.floorDiv(sum, GoDuration.SECOND);
        return new GoTime(
                seconds + duration / GoDuration.SECOND + carry, (int) Math.floorMod(sum, GoDuration.SECOND), zone);
    }

    /** {@code Time.AddDate}. */
    GoTime plusDate(long years, long months, long days) {
        CivilDateTime civil = civil();
        return of(
                civil.year() + years,
                civil.month() + months,
                civil.day() + days,
                civil.hour(),
                civil.minute(),
                civil.second(),
                nanos,
                zone);
    }

    /** {@code Time.Sub}: the largest or smallest duration if out of range. */
    public long minus(GoTime other) {
        long duration = (seconds - other.seconds) * GoDuration.SECOND + (nanos - other.nanos);
        if (other.plus(duration).compareTo(this) == 0) {
            return duration;
        }
        return compareTo(other) < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** {@code Time.Compare}: by instant, ignoring the zone. */
    int compareTo(GoTime other) {
        // Go counts from the year 1, and compares a wrapped count unchanged.
        int order = Long.compare(seconds + SECONDS_FROM_YEAR_1_TO_1970, other.seconds + SECONDS_FROM_YEAR_1_TO_1970);
        return order == 0 ? Integer.compare(nanos, other.nanos) : order;
    }

    boolean isZero() {
        return seconds == ZERO.seconds && nanos == 0;
    }

    /** {@code Time.Truncate}: down to a multiple of the duration since the zero time. */
    GoTime truncate(long duration) {
        return duration <= 0 ? this : plus(-rest(duration));
    }

    /** {@code Time.Round}: to the nearest multiple, half up. */
    GoTime round(long duration) {
        if (duration <= 0) {
            return this;
        }
        long rest = rest(duration);
        return GoDuration.isLessThanHalf(rest, duration) ? plus(-rest) : plus(duration - rest);
    }

    private long rest(long duration) {
        return BigInteger.valueOf(seconds + SECONDS_FROM_YEAR_1_TO_1970)
                .multiply(BILLION)
                .add(BigInteger.valueOf(nanos))
                .mod(BigInteger.valueOf(duration))
                .longValue();
    }

    @Override
    public List<GoValue> fields() {
        GoValue location = zone instanceof GoZone.Utc
                ? GoPointer.nil(GoTimeTypes.LOCATION)
                : GoPointer.to(new GoOpaque(GoTimeTypes.LOCATION, zone));
        return List.of(new GoInt(GoType.UINT64, nanos), GoInt.int64(seconds + SECONDS_FROM_YEAR_1_TO_1970), location);
    }
}
