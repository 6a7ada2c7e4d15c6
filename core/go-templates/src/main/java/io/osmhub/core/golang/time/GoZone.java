package io.osmhub.core.golang.time;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /**
     * The tz database's names of zones, and their abbreviations, such as CET, which the JDK does not carry.
     *
     * <p>Source: {@code zones.txt} next to this class. A line is {@code zone abbreviation,offset abbreviation@from,offset
     * ...}, where {@code from} is the second since 1970 from which the offset is called so, if it had another name before, and an
     * offset with a {@code d} is daylight saving time; or {@code zone =otherZone}.
     */
    final class ZoneTable {
        private record Entry(String abbreviation, long from, int seconds, boolean daylightSaving) {
            GoZone.Offset offset() {
                return new GoZone.Offset(seconds, abbreviation, daylightSaving);
            }
        }

        private static final class Holder {
            static final Map<String, List<Entry>> ZONES = read();
        }

        /** Names that the JDK leaves out. */
        private static final Map<String, String> LINKS = Map.of(
                "EST", "America/Panama",
                "MST", "America/Phoenix",
                "HST", "Pacific/Honolulu",
                "ROC", "Asia/Taipei",
                "GMT+0", "Etc/GMT",
                "GMT-0", "Etc/GMT",
                "Factory", "Etc/GMT");

        private ZoneTable() {}

        /** The zone of that name; null if unknown in Go. Not {@code ZoneId.of} alone, which also accepts UTC+3. */
        static @Nullable ZoneId zone(String name) {
            if (!Holder.ZONES.containsKey(name)) {
                return null;
            }
            return ZoneId.of(LINKS.getOrDefault(name, name));
        }

        /** The abbreviation of an offset at an instant; empty if unknown. */
        static GoZone.Offset of(String zone, int seconds, long unixSeconds) {
            GoZone.Offset found = new GoZone.Offset(seconds, "", false);
            for (Entry entry : Holder.ZONES.getOrDefault(zone, List.of())) {
                if (entry.seconds == seconds && entry.from <= unixSeconds) {
                    found = entry.offset();
                }
            }
            return found;
        }

        /** The offsets in seconds that an abbreviation has had in a zone. */
        static List<Integer> offsets(String zone, String abbreviation) {
            return Holder.ZONES.getOrDefault(zone, List.of()).stream()
                    .filter(entry -> entry.abbreviation.equals(abbreviation))
                    .map(Entry::seconds)
                    .toList();
        }

        private static Map<String, List<Entry>> read() {
            Map<String, List<Entry>> zones = new HashMap<>();
            InputStream file = Objects.requireNonNull(ZoneTable.class.getResourceAsStream("zones.txt"), "zones.txt");
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(file, US_ASCII))) {
                reader.lines().forEach(line -> readLine(line, zones));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
            return zones;
        }

        private static void readLine(String line, Map<String, List<Entry>> zones) {
            String[] words = line.split(" ", -1);
            if (words[1].startsWith("=")) {
                zones.put(words[0], Objects.requireNonNull(zones.get(words[1].substring(1)), line));
                return;
            }
            List<Entry> entries = new ArrayList<>();
            for (int i = 1; i < words.length; i++) {
                int comma = words[i].indexOf(',');
                String name = words[i].substring(0, comma);
                int at = name.indexOf('@');
                long from = at < 0 ? Long.MIN_VALUE : Long.parseLong(name.substring(at + 1));
                boolean daylightSaving = words[i].endsWith("d");
                int end = words[i].length() - (daylightSaving ? 1 : 0);
                int seconds = Integer.parseInt(words[i].substring(comma + 1, end));
                entries.add(new Entry(at < 0 ? name : name.substring(0, at), from, seconds, daylightSaving));
            }
            zones.put(words[0], List.copyOf(entries));
        }
    }
}
