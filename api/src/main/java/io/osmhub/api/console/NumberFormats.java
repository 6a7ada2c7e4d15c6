package io.osmhub.api.console;

import java.util.Locale;

/** Numbers for display. */
final class NumberFormats {
    private NumberFormats() {}

    /** "1,204". */
    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** "1 cluster", "1,204 clusters"; "no clusters" for none. */
    static String count(long number, String one, String many) {
        return (number == 0 ? "no" : number(number)) + " " + (number == 1 ? one : many);
    }

    /** Milliseconds up to a second, then seconds with one digit: "40 ms", "1.3 s". */
    static String milliseconds(double milliseconds) {
        return milliseconds < 1_000
                ? number(Math.round(milliseconds)) + " ms"
                : String.format(Locale.ROOT, "%.1f s", milliseconds / 1_000);
    }

    /** A share in percent: "16 %". A nonzero share is never 0: "< 1 %". */
    static String share(long part, long whole) {
        long percent = Math.round(100.0 * part / whole);
        return (percent == 0 && part > 0 ? "< 1" : number(percent)) + " %";
    }

    /** A share with one digit that is only 100 % if it is whole: "99.6 %". */
    static String shareBelow(long part, long whole) {
        double percent = 100.0 * part / whole;
        return percent == 100 ? "100 %" : place(Math.min(percent, 99.9), 1) + " %";
    }

    /** A coordinate of a drawing. */
    static String place(double value) {
        return place(value, 2);
    }

    private static String place(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** A share of a width, for attributes of SVG. */
    static String percent(double share) {
        return place(share * 100) + "%";
    }
}
