package io.osmhub.core.golang.time;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.time.TimeLayout.CalendarNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a time by a layout, with Go's leniency and Go's error texts. */
final class TimeLayoutParser {
    /** The text does not fit the part of the layout; who catches it says which. */
    private static final class LayoutMismatchException extends Exception {
        private static final long serialVersionUID = 1L;

        LayoutMismatchException() {
            super(null, null, false, false);
        }
    }

    private final String layout;
    private final String text;
    private final List<TimeLayout.Part> parts;
    private int at;

    /** Which value is out of its range; empty when none is. */
    private String outOfRange = "";

    private int year;
    private int month = -1;
    private int day = -1;
    private int dayOfYear = -1;
    private int hour;
    private int minute;
    private int second;
    private int nanos;
    private boolean am;
    private boolean pm;
    private boolean utc;
    private @Nullable Integer offset;
    private String zoneName = "";

    private TimeLayoutParser(String layout, String text) {
        this.layout = layout;
        this.text = text;
        this.parts = TimeLayout.parts(layout);
    }

    /**
     * {@code time.ParseInLocation}. {@code zone} is where a text without zone lies; {@code local} is asked what zone names and
     * offsets mean.
     */
    static GoTime read(String layout, String text, GoZone zone, GoZone local) throws GoCallException {
        TimeLayoutParser reader = new TimeLayoutParser(layout, text);
        reader.readParts();
        reader.checkDate();
        return reader.time(zone, local);
    }

    private void readParts() throws GoCallException {
        for (int i = 0; i < parts.size(); i++) {
            TimeLayout.Part part = parts.get(i);
            try {
                skip(part.before());
            } catch (LayoutMismatchException misfit) {
                throw cannotParse(text.substring(at), part.before());
            }
            if (part.element() == TimeLayout.Element.END) {
                if (at < text.length()) {
                    throw failure(": extra text: " + GoDuration.quote(text.substring(at)));
                }
                return;
            }
            int start = at;
            boolean misfit = false;
            try {
                read(part, parts.get(i + 1).element());
            } catch (LayoutMismatchException unfit) {
                misfit = true;
            }
            if (!outOfRange.isEmpty()) {
                throw failure(": " + outOfRange + " out of range");
            }
            if (misfit) {
                throw cannotParse(text.substring(start), part.text());
            }
        }
    }

    private GoCallException cannotParse(String value, String element) {
        return new GoCallException("parsing time " + GoDuration.quote(text) + " as " + GoDuration.quote(layout)
                + ": cannot parse " + GoDuration.quote(value) + " as " + GoDuration.quote(element));
    }

    private GoCallException failure(String message) {
        return new GoCallException("parsing time " + GoDuration.quote(text) + message);
    }

    /** Literal text must match; a run of blanks in it matches any number of blanks. */
    private void skip(String literal) throws LayoutMismatchException {
        for (int i = 0; i < literal.length(); ) {
            if (literal.charAt(i) == ' ') {
                if (at < text.length() && text.charAt(at) != ' ') {
                    throw new LayoutMismatchException();
                }
                while (i < literal.length() && literal.charAt(i) == ' ') {
                    i++;
                }
                while (peek(0) == ' ') {
                    at++;
                }
            } else if (peek(0) == literal.charAt(i) && at < text.length()) {
                at++;
                i++;
            } else {
                throw new LayoutMismatchException();
            }
        }
    }

    /** The character so far ahead; NUL behind the end. */
    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private boolean isDigit(int ahead) {
        return peek(ahead) >= '0' && peek(ahead) <= '9';
    }

    private String take(int length) throws LayoutMismatchException {
        if (text.length() - at < length) {
            throw new LayoutMismatchException();
        }
        at += length;
        return text.substring(at - length, at);
    }

    private void read(TimeLayout.Part part, TimeLayout.Element next) throws LayoutMismatchException {
        switch (part.element()) {
            case SHORT_YEAR -> {
                int number = whole(take(2));
                year = number + (number >= 69 ? 1900 : 2000);
            }
            case YEAR -> {
                if (!isDigit(0)) {
                    throw new LayoutMismatchException();
                }
                year = whole(take(4));
            }
            case MONTH -> month = name(CalendarNames.SHORT_MONTHS) + 1;
            case LONG_MONTH -> month = name(CalendarNames.MONTHS) + 1;
            case NUMBER_MONTH, ZERO_MONTH -> {
                month = twoDigits(part.element() == TimeLayout.Element.ZERO_MONTH);
                check(month >= 1 && month <= 12, "month");
            }
            // Only has to be a day's name; whether it is the right day is not looked at.
            case WEEKDAY -> name(CalendarNames.SHORT_DAYS);
            case LONG_WEEKDAY -> name(CalendarNames.DAYS);
            case DAY -> day = twoDigits(false);
            case BLANK_DAY -> {
                skipBlank();
                day = twoDigits(false);
            }
            case ZERO_DAY -> day = twoDigits(true);
            case BLANK_DAY_OF_YEAR -> {
                skipBlank();
                skipBlank();
                dayOfYear = threeDigits(false);
            }
            case ZERO_DAY_OF_YEAR -> dayOfYear = threeDigits(true);
            case HOUR -> {
                hour = twoDigits(false);
                check(hour < 24, "hour");
            }
            case HOUR_12, ZERO_HOUR_12 -> {
                hour = twoDigits(part.element() == TimeLayout.Element.ZERO_HOUR_12);
                check(hour <= 12, "hour");
            }
            case MINUTE, ZERO_MINUTE -> {
                minute = twoDigits(part.element() == TimeLayout.Element.ZERO_MINUTE);
                check(minute < 60, "minute");
            }
            case SECOND, ZERO_SECOND -> {
                second = twoDigits(part.element() == TimeLayout.Element.ZERO_SECOND);
                check(second < 60, "second");
                // A fraction may follow the seconds without the layout's saying so.
                if (outOfRange.isEmpty() && isPoint() && isDigit(1) && !next.isFraction()) {
                    fraction(digitsAhead());
                }
            }
            case UPPER_PM -> half("AM", "PM");
            case LOWER_PM -> half("am", "pm");
            case ZONE -> zoneName();
            case FRACTION -> {
                if (text.length() - at < part.text().length()) {
                    throw new LayoutMismatchException();
                }
                fraction(part.digits());
            }
            case SHORT_FRACTION -> {
                if (isPoint() && isDigit(1)) {
                    fraction(digitsAhead());
                }
            }
            case OFFSET,
                    OFFSET_COLON,
                    OFFSET_HOURS,
                    OFFSET_SECONDS,
                    OFFSET_COLON_SECONDS,
                    ISO_OFFSET,
                    ISO_OFFSET_COLON,
                    ISO_OFFSET_HOURS,
                    ISO_OFFSET_SECONDS,
                    ISO_OFFSET_COLON_SECONDS -> {
                if (part.element().isIso() && peek(0) == 'Z') {
                    at++;
                    utc = true;
                } else {
                    offset(part.text());
                }
            }
            case END -> {
                // Read by the caller.
            }
        }
    }

    private void check(boolean inRange, String what) {
        if (!inRange) {
            outOfRange = what;
        }
    }

    private void skipBlank() {
        if (peek(0) == ' ') {
            at++;
        }
    }

    private boolean isPoint() {
        return peek(0) == '.' || peek(0) == ',';
    }

    private int digitsAhead() {
        int count = 0;
        while (isDigit(1 + count)) {
            count++;
        }
        return count;
    }

    /** A number that fills all of a text; it may have a sign. */
    private static int whole(String number) throws LayoutMismatchException {
        boolean negative = number.startsWith("-");
        int value = 0;
        for (int i = negative || number.startsWith("+") ? 1 : 0; i < number.length(); i++) {
            int digit = number.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new LayoutMismatchException();
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }

    private int twoDigits(boolean both) throws LayoutMismatchException {
        if (!isDigit(0) || both && !isDigit(1)) {
            throw new LayoutMismatchException();
        }
        return whole(take(isDigit(1) ? 2 : 1));
    }

    private int threeDigits(boolean all) throws LayoutMismatchException {
        int count = 0;
        while (count < 3 && isDigit(count)) {
            count++;
        }
        if (count == 0 || all && count < 3) {
            throw new LayoutMismatchException();
        }
        return whole(take(count));
    }

    /** Index of the next name, case-insensitive. */
    private int name(List<String> names) throws LayoutMismatchException {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (text.regionMatches(true, at, name, 0, name.length())) {
                at += name.length();
                return i;
            }
        }
        throw new LayoutMismatchException();
    }

    private void half(String morning, String afternoon) throws LayoutMismatchException {
        String half = take(2);
        if (half.equals(afternoon)) {
            pm = true;
        } else if (half.equals(morning)) {
            am = true;
        } else {
            throw new LayoutMismatchException();
        }
    }

    /** A point or comma and digits, of which the first nine count. */
    private void fraction(int digits) throws LayoutMismatchException {
        if (!isPoint()) {
            throw new LayoutMismatchException();
        }
        int counting = Math.min(digits, 9);
        int value = whole(text.substring(at + 1, at + 1 + counting));
        check(value >= 0, "fractional second");
        for (int i = counting; i < 9; i++) {
            value *= 10;
        }
        nanos = value;
        at += 1 + digits;
    }

    private void offset(String form) throws LayoutMismatchException {
        String written = take(form.length());
        int[] numbers = new int[3];
        int count = 0;
        for (int i = 1; i < form.length(); count++) {
            if (form.charAt(i) == ':') {
                if (written.charAt(i) != ':') {
                    throw new LayoutMismatchException();
                }
                i++;
            }
            i += 2;
        }
        boolean misfit = false;
        for (int i = 0, from = 1; i < count && !misfit; i++, from += 2) {
            from += form.charAt(from) == ':' ? 1 : 0;
            String digits = written.substring(from, from + 2);
            misfit = !Character.isDigit(digits.charAt(0)) || !Character.isDigit(digits.charAt(1));
            numbers[i] = misfit ? 0 : whole(digits);
        }
        // Offsets of a full 24 hours, 60 minutes or 60 seconds are let pass.
        check(numbers[0] <= 24, "time zone offset hour");
        check(numbers[1] <= 60, "time zone offset minute");
        check(numbers[2] <= 60, "time zone offset second");
        int seconds = (numbers[0] * 60 + numbers[1]) * 60 + numbers[2];
        char sign = written.charAt(0);
        if (misfit || sign != '+' && sign != '-') {
            throw new LayoutMismatchException();
        }
        offset = sign == '-' ? -seconds : seconds;
    }

    private void zoneName() throws LayoutMismatchException {
        if (text.startsWith("UTC", at)) {
            at += 3;
            utc = true;
            return;
        }
        int length = ZoneAbbreviationParser.lengthAt(text, at);
        if (length == 0) {
            throw new LayoutMismatchException();
        }
        zoneName = take(length);
    }

    private void checkDate() throws GoCallException {
        if (pm && hour < 12) {
            hour += 12;
        } else if (am && hour == 12) {
            hour = 0;
        }
        if (dayOfYear >= 0) {
            useDayOfYear();
        }
        month = month < 0 ? 1 : month;
        day = day < 0 ? 1 : day;
        if (day < 1 || day > CivilDateTime.daysIn(month, year)) {
            throw failure(": day out of range");
        }
    }

    private void useDayOfYear() throws GoCallException {
        boolean leapDay = CivilDateTime.isLeap(year) && dayOfYear == 31 + 29;
        int commonDay = CivilDateTime.isLeap(year) && dayOfYear > 31 + 29 ? dayOfYear - 1 : dayOfYear;
        if (commonDay < 1 || commonDay > 365) {
            throw failure(": day-of-year out of range");
        }
        int monthOfIt = 1;
        while (!leapDay && CivilDateTime.daysBefore(monthOfIt + 1) < commonDay) {
            monthOfIt++;
        }
        monthOfIt = leapDay ? 2 : monthOfIt;
        int dayOfIt = leapDay ? 29 : commonDay - CivilDateTime.daysBefore(monthOfIt);
        if (month >= 0 && month != monthOfIt) {
            throw failure(": day-of-year does not match month");
        }
        if (day >= 0 && day != dayOfIt) {
            throw failure(": day-of-year does not match day");
        }
        month = monthOfIt;
        day = dayOfIt;
    }

    private GoTime time(GoZone zone, GoZone local) {
        if (utc) {
            return at(GoZone.UTC);
        }
        if (offset != null) {
            GoTime time = at(GoZone.UTC).plusSeconds(-offset);
            // The local zone if it has just this offset then, else one made up for it.
            GoZone.Offset there = local.at(time.seconds());
            boolean isLocal = there.seconds() == offset
                    && (zoneName.isEmpty() || there.abbreviation().equals(zoneName));
            return time.in(isLocal ? local : new GoZone.Fixed(zoneName, offset));
        }
        if (!zoneName.isEmpty()) {
            GoTime time = at(GoZone.UTC);
            Integer known = local.offsetOf(zoneName, time.seconds());
            if (known != null) {
                return time.plusSeconds(-known).in(local);
            }
            return time.in(new GoZone.Fixed(zoneName, ZoneAbbreviationParser.hoursAfterGmt(zoneName) * 3600));
        }
        return at(zone);
    }

    private GoTime at(GoZone zone) {
        return GoTime.of(year, month, day, hour, minute, second, nanos, zone);
    }

    /** Recognizes zone abbreviations as Go does when parsing a time. */
    private static final class ZoneAbbreviationParser {
        /** Length of the abbreviation at a position of a text; 0 if none. */
        static int lengthAt(String text, int at) {
            int left = text.length() - at;
            if (left < 3) {
                return 0;
            }
            if (text.startsWith("ChST", at) || text.startsWith("MeST", at)) {
                return 4;
            }
            if (text.startsWith("GMT", at)) {
                return 3 + hoursLength(text, at + 3);
            }
            if (text.charAt(at) == '+' || text.charAt(at) == '-') {
                return hoursLength(text, at);
            }
            int letters = 0;
            while (letters < Math.min(left, 6) && isUpper(text.charAt(at + letters))) {
                letters++;
            }
            return switch (letters) {
                case 3 -> 3;
                case 4 -> text.charAt(at + 3) == 'T' || text.startsWith("WITA", at) ? 4 : 0;
                case 5 -> text.charAt(at + 4) == 'T' ? 5 : 0;
                default -> 0;
            };
        }

        private static boolean isUpper(char c) {
            return c >= 'A' && c <= 'Z';
        }

        /** Length of a signed number up to 23; 0 if none. */
        private static int hoursLength(String text, int at) {
            if (at >= text.length() || text.charAt(at) != '+' && text.charAt(at) != '-') {
                return 0;
            }
            int end = at + 1;
            int hours = 0;
            for (; end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9'; end++) {
                hours = Math.min(hours * 10 + text.charAt(end) - '0', 1000);
            }
            return end == at + 1 || hours > 23 ? 0 : end - at;
        }

        /** The hours in a name such as {@code GMT+3}; 0 in any other. */
        static int hoursAfterGmt(String name) {
            return name.length() > 3 && name.startsWith("GMT") ? Integer.parseInt(name.substring(3)) : 0;
        }
    }
}
