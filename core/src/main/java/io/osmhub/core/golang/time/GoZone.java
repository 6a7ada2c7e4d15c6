package io.osmhub.core.golang.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import org.jspecify.annotations.Nullable;

/** Go's {@code time.Location}: which offset and which abbreviation clocks have at a moment. */
public sealed interface GoZone {
    @SuppressWarnings("ClassInitializationDeadlock") // Utc has no static state that waits for this interface
    GoZone UTC = new Utc();

    /** What clocks show at a moment: seconds east of UTC, and the zone's abbreviation, empty where there is none. */
    record Offset(int seconds, String abbreviation, boolean daylightSaving) {}

    /** The text of the location. */
    String name();

    /** The offset at a moment, in seconds since 1970. */
    Offset at(long unixSeconds);

    /** The offset that an abbreviation stands for here, at a local time; null when it is not known here. */
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

    /** One offset for ever. */
    record Fixed(String name, int seconds) implements GoZone {
        @Override
        public Offset at(long unixSeconds) {
            return new Offset(seconds, name, false);
        }
    }

    /** A zone of the tz database, and its name there. */
    record Region(String name, ZoneId id) implements GoZone {
        @Override
        public Offset at(long unixSeconds) {
            Instant moment = Instant.ofEpochSecond(
                    Math.clamp(unixSeconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()));
            return ZoneAbbreviations.of(id, id.getRules().getOffset(moment).getTotalSeconds(), unixSeconds);
        }

        @Override
        public @Nullable Integer offsetOf(String abbreviation, long localSeconds) {
            Integer fallback = null;
            for (int seconds : ZoneAbbreviations.offsets(id, abbreviation)) {
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

    /** Go's {@code time.LoadLocation}; null where Go would not know the name. Names are case-sensitive. */
    static @Nullable GoZone load(String name, ZoneId local) {
        if (name.isEmpty() || name.equals("UTC")) {
            return UTC;
        }
        if (name.equals("Local")) {
            return local(local);
        }
        // Not ZoneId.of alone: it also takes forms such as UTC+3, which are no names of the database.
        return ZoneRulesProvider.getAvailableZoneIds().contains(name) ? new Region(name, ZoneId.of(name)) : null;
    }
}
