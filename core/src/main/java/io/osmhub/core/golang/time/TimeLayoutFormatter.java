package io.osmhub.core.golang.time;

/** Writes a time by a layout. */
final class TimeLayoutFormatter {
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
