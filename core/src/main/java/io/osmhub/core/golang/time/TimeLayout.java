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
}
