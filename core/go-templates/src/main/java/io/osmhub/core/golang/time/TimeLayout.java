package io.osmhub.core.golang.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a Go time layout: finds the parts of the reference time (Mon Jan 2 15:04:05 MST 2006) among literal text. */
final class TimeLayout {
    /** A part of a layout. Constants with a text are recognized by it, in order: longer ones first. */
    enum Element {
        LONG_MONTH("January"),
        MONTH("Jan"),
        LONG_WEEKDAY("Monday"),
        WEEKDAY("Mon"),
        ZONE("MST"),
        ZERO_DAY_OF_YEAR("002"),
        ZERO_MONTH("01"),
        ZERO_DAY("02"),
        ZERO_HOUR_12("03"),
        ZERO_MINUTE("04"),
        ZERO_SECOND("05"),
        SHORT_YEAR("06"),
        HOUR("15"),
        NUMBER_MONTH("1"),
        YEAR("2006"),
        DAY("2"),
        BLANK_DAY_OF_YEAR("__2"),
        BLANK_DAY("_2"),
        HOUR_12("3"),
        MINUTE("4"),
        SECOND("5"),
        UPPER_PM("PM"),
        LOWER_PM("pm"),
        OFFSET_SECONDS("-070000"),
        OFFSET_COLON_SECONDS("-07:00:00"),
        OFFSET("-0700"),
        OFFSET_COLON("-07:00"),
        OFFSET_HOURS("-07"),
        ISO_OFFSET_SECONDS("Z070000"),
        ISO_OFFSET_COLON_SECONDS("Z07:00:00"),
        ISO_OFFSET("Z0700"),
        ISO_OFFSET_COLON("Z07:00"),
        ISO_OFFSET_HOURS("Z07"),
        /** {@code .000}: always so many digits. */
        FRACTION(""),
        /** {@code .999}: as many digits as needed. */
        SHORT_FRACTION(""),
        /** The end of the layout. */
        END("");

        private final String text;

        Element(String text) {
            this.text = text;
        }

        /** Whether {@code Z} is written and read for UTC. */
        boolean isIso() {
            return compareTo(ISO_OFFSET_SECONDS) >= 0 && compareTo(ISO_OFFSET_HOURS) <= 0;
        }

        boolean isFraction() {
            return this == FRACTION || this == SHORT_FRACTION;
        }
    }

    /** A part of a layout and the literal text before it; {@code text} is how the layout writes the part. */
    record Part(String before, Element element, String text) {
        /** Digits of a fraction. */
        int digits() {
            return text.length() - 1;
        }
    }

    private static final Element[] ELEMENTS = Element.values();

    private TimeLayout() {}

    /** The parts in order, {@link Element#END} last. */
    static List<Part> parts(String layout) {
        List<Part> parts = new ArrayList<>();
        int literal = 0;
        int at = 0;
        while (at < layout.length()) {
            Part part = partAt(layout, literal, at);
            if (part == null) {
                at++;
            } else {
                parts.add(part);
                at = literal + part.before.length() + part.text.length();
                literal = at;
            }
        }
        parts.add(new Part(layout.substring(literal), Element.END, ""));
        return parts;
    }

    private static @Nullable Part partAt(String layout, int literal, int at) {
        char first = layout.charAt(at);
        if (first == '.' || first == ',') {
            return fractionAt(layout, literal, at);
        }
        if (layout.startsWith("_2006", at)) {
            // A blank-padded day before a year is not a day: the underscore is literal.
            return new Part(layout.substring(literal, at + 1), Element.YEAR, "2006");
        }
        for (Element element : ELEMENTS) {
            String text = element.text;
            if (!text.isEmpty() && text.charAt(0) == first && layout.startsWith(text, at)) {
                if (isBeginOfWord(element, layout, at + text.length())) {
                    return null;
                }
                return new Part(layout.substring(literal, at), element, text);
            }
        }
        return null;
    }

    /** A short name with lower-case letters behind it is another word, such as {@code Month}. */
    private static boolean isBeginOfWord(Element element, String layout, int end) {
        boolean shortName = element == Element.MONTH || element == Element.WEEKDAY;
        return shortName && end < layout.length() && layout.charAt(end) >= 'a' && layout.charAt(end) <= 'z';
    }

    private static @Nullable Part fractionAt(String layout, int literal, int at) {
        int end = at + 1;
        char digit = end < layout.length() ? layout.charAt(end) : ' ';
        if (digit != '0' && digit != '9') {
            return null;
        }
        while (end < layout.length() && layout.charAt(end) == digit) {
            end++;
        }
        if (end < layout.length() && layout.charAt(end) >= '0' && layout.charAt(end) <= '9') {
            return null;
        }
        Element element = digit == '0' ? Element.FRACTION : Element.SHORT_FRACTION;
        return new Part(layout.substring(literal, at), element, layout.substring(at, end));
    }

    /** English names of months and days, as Go has them. */
    static final class CalendarNames {
        static final List<String> MONTHS = List.of(
                "January",
                "February",
                "March",
                "April",
                "May",
                "June",
                "July",
                "August",
                "September",
                "October",
                "November",
                "December");
        static final List<String> SHORT_MONTHS = shorten(MONTHS);
        static final List<String> DAYS =
                List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
        static final List<String> SHORT_DAYS = shorten(DAYS);

        private static List<String> shorten(List<String> names) {
            return names.stream().map(name -> name.substring(0, 3)).toList();
        }
    }

    /** Writes a time by a layout. */
    static final class TimeLayoutFormatter {
        private final GoTime time;
        private final CivilDateTime civil;
        private final GoZone.Offset offset;
        private final StringBuilder text;

        private TimeLayoutFormatter(GoTime time, int size) {
            this.time = time;
            this.offset = time.zone().at(time.seconds());
            this.civil = time.civil();
            this.text = new StringBuilder(size);
        }

        static String write(GoTime time, String layout) {
            TimeLayoutFormatter writer = new TimeLayoutFormatter(time, layout.length() + 10);
            for (TimeLayout.Part part : TimeLayout.parts(layout)) {
                writer.text.append(part.before());
                writer.write(part);
            }
            return writer.text.toString();
        }

        private void write(TimeLayout.Part part) {
            switch (part.element()) {
                case SHORT_YEAR -> padded(Math.abs(civil.year()) % 100, 2);
                case YEAR -> padded(civil.year(), 4);
                case MONTH -> text.append(CalendarNames.SHORT_MONTHS.get(civil.month() - 1));
                case LONG_MONTH -> text.append(CalendarNames.MONTHS.get(civil.month() - 1));
                case NUMBER_MONTH -> text.append(civil.month());
                case ZERO_MONTH -> padded(civil.month(), 2);
                case WEEKDAY -> text.append(CalendarNames.SHORT_DAYS.get(time.weekday()));
                case LONG_WEEKDAY -> text.append(CalendarNames.DAYS.get(time.weekday()));
                case DAY -> text.append(civil.day());
                case BLANK_DAY -> text.append(civil.day() < 10 ? " " : "").append(civil.day());
                case ZERO_DAY -> padded(civil.day(), 2);
                case BLANK_DAY_OF_YEAR -> {
                    int day = civil.dayOfYear();
                    text.append(day < 10 ? "  " : day < 100 ? " " : "").append(day);
                }
                case ZERO_DAY_OF_YEAR -> padded(civil.dayOfYear(), 3);
                case HOUR -> padded(civil.hour(), 2);
                case HOUR_12 -> text.append(hour12());
                case ZERO_HOUR_12 -> padded(hour12(), 2);
                case MINUTE -> text.append(civil.minute());
                case ZERO_MINUTE -> padded(civil.minute(), 2);
                case SECOND -> text.append(civil.second());
                case ZERO_SECOND -> padded(civil.second(), 2);
                case UPPER_PM -> text.append(civil.hour() >= 12 ? "PM" : "AM");
                case LOWER_PM -> text.append(civil.hour() >= 12 ? "pm" : "am");
                case ZONE -> zone();
                case OFFSET -> offset("", false);
                case OFFSET_COLON -> offset(":", false);
                case OFFSET_SECONDS -> offset("", true);
                case OFFSET_COLON_SECONDS -> offset(":", true);
                case OFFSET_HOURS -> offsetHours();
                case ISO_OFFSET, ISO_OFFSET_COLON, ISO_OFFSET_SECONDS, ISO_OFFSET_COLON_SECONDS, ISO_OFFSET_HOURS ->
                    isoOffset(part.element());
                case FRACTION -> fraction(part, false);
                case SHORT_FRACTION -> fraction(part, true);
                case END -> {
                    // The literal text before it is written.
                }
            }
        }

        private int hour12() {
            int hour = civil.hour() % 12;
            return hour == 0 ? 12 : hour;
        }

        private void padded(long value, int width) {
            text.append(value < 0 ? "-" : "");
            String digits = Long.toUnsignedString(value < 0 ? -value : value);
            text.repeat('0', Math.max(width - digits.length(), 0)).append(digits);
        }

        private void zone() {
            if (offset.abbreviation().isEmpty()) {
                // Without a name the offset is printed, without a sign's own zero: hours and minutes.
                offset("", false);
            } else {
                text.append(offset.abbreviation());
            }
        }

        private void isoOffset(TimeLayout.Element element) {
            if (offset.seconds() == 0) {
                text.append('Z');
                return;
            }
            switch (element) {
                case ISO_OFFSET_COLON -> offset(":", false);
                case ISO_OFFSET_SECONDS -> offset("", true);
                case ISO_OFFSET_COLON_SECONDS -> offset(":", true);
                case ISO_OFFSET_HOURS -> offsetHours();
                default -> offset("", false);
            }
        }

        private int offsetHours() {
            int minutes = offset.seconds() / 60;
            text.append(minutes < 0 ? '-' : '+');
            padded(Math.abs(minutes) / 60, 2);
            return Math.abs(minutes);
        }

        private void offset(String colon, boolean seconds) {
            int minutes = offsetHours();
            text.append(colon);
            padded(minutes % 60, 2);
            if (seconds) {
                text.append(colon);
                padded(Math.abs(offset.seconds() % 60), 2);
            }
        }

        private void fraction(TimeLayout.Part part, boolean shortest) {
            if (shortest && time.nanos() == 0) {
                return;
            }
            int start = text.length();
            text.append(part.text().charAt(0));
            padded(time.nanos(), 9);
            text.setLength(Math.min(text.length(), start + 1 + part.digits()));
            if (shortest) {
                while (text.charAt(text.length() - 1) == '0') {
                    text.setLength(text.length() - 1);
                }
                if (text.length() == start + 1) {
                    text.setLength(start);
                }
            }
        }
    }
}
