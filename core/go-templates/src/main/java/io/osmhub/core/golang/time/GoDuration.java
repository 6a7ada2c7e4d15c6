package io.osmhub.core.golang.time;

import io.osmhub.core.golang.GoCallException;

/** Go's {@code time.Duration}, a count of nanoseconds: formatting and parsing. */
public final class GoDuration {
    static final long MICROSECOND = 1000;
    static final long MILLISECOND = 1000 * MICROSECOND;
    static final long SECOND = 1000 * MILLISECOND;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;

    private GoDuration() {}

    /** {@code Duration.String}, for example {@code 1h30m0s}; a byte string. */
    public static String text(long nanos) {
        long size = nanos < 0 ? -nanos : nanos;
        if (size == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder(24).append(nanos < 0 ? "-" : "");
        if (Long.compareUnsigned(size, SECOND) < 0) {
            // The largest unit with a digit before the point; the micro sign is two bytes.
            return size < MICROSECOND
                    ? text.append(size).append("ns").toString()
                    : size < MILLISECOND
                            ? fraction(text, size, MICROSECOND)
                                    .append("\u00c2\u00b5s")
                                    .toString()
                            : fraction(text, size, MILLISECOND).append("ms").toString();
        }
        long seconds = Long.divideUnsigned(size, SECOND);
        if (seconds >= 3600) {
            text.append(seconds / 3600).append('h');
        }
        if (seconds >= 60) {
            text.append(seconds / 60 % 60).append('m');
        }
        long rest = seconds % 60 * SECOND + Long.remainderUnsigned(size, SECOND);
        return fraction(text, rest, SECOND).append('s').toString();
    }

    private static StringBuilder fraction(StringBuilder text, long value, long unit) {
        text.append(value / unit);
        long rest = value % unit;
        if (rest > 0) {
            text.append('.');
            for (long digit = unit / 10; rest > 0; digit /= 10) {
                text.append(rest / digit);
                rest %= digit;
            }
        }
        return text;
    }

    /**
     * {@code time.ParseDuration}: nanoseconds of a byte string such as {@code -1.5h2m}.
     *
     * @throws GoCallException with Go's message
     */
    public static long parse(String bytes) throws GoCallException {
        boolean negative = bytes.startsWith("-");
        int at = negative || bytes.startsWith("+") ? 1 : 0;
        if (bytes.length() == at + 1 && bytes.charAt(at) == '0') {
            return 0;
        }
        if (at == bytes.length()) {
            throw invalid(bytes);
        }
        long total = 0;
        while (at < bytes.length()) {
            int start = at;
            Amount amount = Amount.read(bytes, at);
            at = amount.end;
            if (!amount.fits || at - start == (amount.hasPoint ? 1 : 0)) {
                throw invalid(bytes);
            }
            int unitStart = at;
            while (at < bytes.length() && bytes.charAt(at) != '.' && !isDigit(bytes.charAt(at))) {
                at++;
            }
            total += nanos(bytes, amount, bytes.substring(unitStart, at));
            // Unsigned, because the magnitude of the smallest duration is one more than the largest duration.
            if (Long.compareUnsigned(total, Long.MIN_VALUE) > 0) {
                throw invalid(bytes);
            }
        }
        if (total == Long.MIN_VALUE && !negative) {
            throw invalid(bytes);
        }
        return negative ? -total : total;
    }

    /** A decimal number: the integer part, and the fraction as {@code fraction / scale}. */
    private record Amount(long whole, long fraction, double scale, boolean hasPoint, boolean fits, int end) {
        static Amount read(String bytes, int start) {
            int at = start;
            long whole = 0;
            boolean fits = true;
            for (; at < bytes.length() && isDigit(bytes.charAt(at)); at++) {
                // One more than the largest long is allowed, for the smallest duration.
                fits &= Long.compareUnsigned(whole, Long.MIN_VALUE / -10) <= 0;
                whole = whole * 10 + bytes.charAt(at) - '0';
                fits &= Long.compareUnsigned(whole, Long.MIN_VALUE) <= 0;
            }
            boolean hasPoint = at < bytes.length() && bytes.charAt(at) == '.';
            long fraction = 0;
            double scale = 1;
            if (hasPoint) {
                boolean more = true;
                for (at++; at < bytes.length() && isDigit(bytes.charAt(at)); at++) {
                    long longer = fraction * 10 + bytes.charAt(at) - '0';
                    // Insignificant digits are ignored.
                    boolean room = fraction >= 0 && fraction <= Long.MAX_VALUE / 10;
                    more = more && room && (longer >= 0 || longer == Long.MIN_VALUE);
                    if (more) {
                        fraction = longer;
                        scale *= 10;
                    }
                }
            }
            return new Amount(whole, fraction, scale, hasPoint, fits, at);
        }
    }

    private static long nanos(String bytes, Amount amount, String unitName) throws GoCallException {
        if (unitName.isEmpty()) {
            throw new GoCallException("time: missing unit in duration " + quote(bytes));
        }
        long unit =
                switch (unitName) {
                    case "ns" -> 1;
                    // Micro sign and Greek letter, in UTF-8.
                    case "us", "\u00c2\u00b5s", "\u00ce\u00bcs" -> MICROSECOND;
                    case "ms" -> MILLISECOND;
                    case "s" -> SECOND;
                    case "m" -> MINUTE;
                    case "h" -> HOUR;
                    default ->
                        throw new GoCallException(
                                "time: unknown unit " + quote(unitName) + " in duration " + quote(bytes));
                };
        if (Long.compareUnsigned(amount.whole, Long.divideUnsigned(Long.MIN_VALUE, unit)) > 0) {
            throw invalid(bytes);
        }
        long nanos = amount.whole * unit;
        if (amount.fraction != 0) {
            double fraction = amount.fraction < 0 ? -(double) amount.fraction : amount.fraction;
            nanos += (long) (fraction * (unit / amount.scale));
            if (Long.compareUnsigned(nanos, Long.MIN_VALUE) > 0) {
                throw invalid(bytes);
            }
        }
        return nanos;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static GoCallException invalid(String bytes) {
        return new GoCallException("time: invalid duration " + quote(bytes));
    }

    /** The quoting of Go's {@code time} package: all non-ASCII bytes in hexadecimal. */
    static String quote(String bytes) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            if (c >= 0x80 || c < ' ') {
                text.append("\\x").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 0xF, 16));
            } else {
                text.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return text.append('"').toString();
    }

    /** {@code Duration.Truncate}. */
    static long truncate(long nanos, long multiple) {
        return multiple <= 0 ? nanos : nanos - nanos % multiple;
    }

    /** {@code Duration.Round}: to the nearest multiple, half away from zero; the largest or smallest duration if that is too far. */
    public static long round(long nanos, long multiple) {
        if (multiple <= 0) {
            return nanos;
        }
        long rest = nanos % multiple;
        long size = Math.abs(rest);
        if (isLessThanHalf(size, multiple)) {
            return nanos - rest;
        }
        if (nanos < 0) {
            long down = nanos - multiple + size;
            return down < nanos ? down : Long.MIN_VALUE;
        }
        long up = nanos + multiple - size;
        return up > nanos ? up : Long.MAX_VALUE;
    }

    static boolean isLessThanHalf(long part, long whole) {
        return Long.compareUnsigned(part + part, whole) < 0;
    }

    /** {@code Duration.Hours} and others: a whole number of units and a fraction. */
    static double in(long nanos, long unit) {
        long whole = nanos / unit;
        return (double) whole + (double) (nanos % unit) / unit;
    }
}
