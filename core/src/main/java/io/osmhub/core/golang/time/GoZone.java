package io.osmhub.core.golang.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/** Go's {@code time.Location}: the offset and abbreviation at an instant. */
public sealed interface GoZone {
    @SuppressWarnings("ClassInitializationDeadlock") // Utc has no static state that waits for this interface
    GoZone UTC = new Utc();

    /** Offset at an instant: seconds east of UTC, and the zone's abbreviation, which may be empty. */
    record Offset(int seconds, String abbreviation, boolean daylightSaving) {}

    /** The text of the location. */
    String name();

    /** The offset at a moment, in seconds since 1970. */
    Offset at(long unixSeconds);

    /** The offset of an abbreviation in this zone, at a local time; null if unknown. */
    default @Nullable Integer offsetOf(String abbreviation, long localSeconds) {
        return null;
    }

    /** Coordinated universal time. */
    record Utc() implements GoZone {
        private static final Offset ZERO = new Offset(0, "UTC", false);

        @Override
        public String name() {
            return "UTC";
        }

        @Override
        public Offset at(long unixSeconds) {
            return ZERO;
        }
    }

    /**
     * One offset for ever. Go holds such a zone by its address and makes whole hours without a name only once; templates see
     * that when they compare times.
     */
    record Fixed(String name, int seconds) implements GoZone {
        @Override
        public Offset at(long unixSeconds) {
            return new Offset(seconds, name, false);
        }

        private boolean isMadeOnce() {
            return name.isEmpty() && seconds % 3600 == 0 && seconds >= -12 * 3600 && seconds <= 14 * 3600;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || other instanceof Fixed that && isMadeOnce() && that.isMadeOnce() && seconds == that.seconds;
        }

        @Override
        public int hashCode() {
            return seconds;
        }
    }

    /** A zone of the tz database, and its name there. */
    record Region(String name, ZoneId id) implements GoZone {
        @Override
        public Offset at(long unixSeconds) {
            Instant moment = Instant.ofEpochSecond(
                    Math.clamp(unixSeconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()));
            return ZoneTable.of(name, id.getRules().getOffset(moment).getTotalSeconds(), unixSeconds);
        }

        @Override
        public @Nullable Integer offsetOf(String abbreviation, long localSeconds) {
            Integer fallback = null;
            for (int seconds : ZoneTable.offsets(name, abbreviation)) {
                Offset then = at(localSeconds - seconds);
                if (then.abbreviation.equals(abbreviation)) {
                    return then.seconds;
                }
                fallback = fallback == null ? Integer.valueOf(seconds) : fallback;
            }
            return fallback;
        }
    }

    /** Go's {@code time.Local}, where that is not UTC. */
    record Local(Region region) implements GoZone {
        @Override
        public String name() {
            return "Local";
        }

        @Override
        public Offset at(long unixSeconds) {
            return region.at(unixSeconds);
        }

        @Override
        public @Nullable Integer offsetOf(String abbreviation, long localSeconds) {
            return region.offsetOf(abbreviation, localSeconds);
        }
    }

    /** The zone of an environment as Go's {@code time.Local}. */
    static GoZone local(ZoneId zone) {
        ZoneRules rules = zone.getRules();
        boolean utc = rules.isFixedOffset() && rules.getOffset(Instant.EPOCH).equals(ZoneOffset.UTC);
        return utc ? UTC : new Local(new Region(zone.getId(), zone));
    }

    /** Go's {@code time.LoadLocation}; null if unknown in Go. Names are case-sensitive. */
    static @Nullable GoZone load(String name, ZoneId local) {
        if (name.isEmpty() || name.equals("UTC")) {
            return UTC;
        }
        if (name.equals("Local")) {
            return local(local);
        }
        ZoneId id = ZoneTable.zone(name);
        return id == null ? null : new Region(name, id);
    }
}
