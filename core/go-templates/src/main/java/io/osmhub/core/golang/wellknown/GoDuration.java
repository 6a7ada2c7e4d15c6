package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import java.util.function.LongFunction;

/** Go's {@code time.Duration}, a count of nanoseconds: its type, text and parsing. */
public final class GoDuration {
    private static final long MICROSECOND = 1000;
    private static final long MILLISECOND = 1000 * MICROSECOND;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** More digits of a fraction have no meaning. */
    private static final int MOST_DECIMALS = 18;

    /** {@code time.Duration}; its values are {@link GoInt}s of nanoseconds. */
    public static final GoType TYPE = GoType.named("time.Duration", GoType.INT64);

    static {
        method("String", GoType.STRING, nanos -> GoString.ofBytes(text(nanos)));
        method("Nanoseconds", GoType.INT64, GoInt::int64);
        method("Microseconds", GoType.INT64, nanos -> GoInt.int64(nanos / MICROSECOND));
        method("Milliseconds", GoType.INT64, nanos -> GoInt.int64(nanos / MILLISECOND));
        method("Seconds", GoType.FLOAT64, nanos -> in(nanos, SECOND));
        method("Minutes", GoType.FLOAT64, nanos -> in(nanos, MINUTE));
        method("Hours", GoType.FLOAT64, nanos -> in(nanos, HOUR));
    }

    private GoDuration() {}

    private static void method(String name, GoType result, LongFunction<GoValue> getter) {
        GoType signature = GoType.function(result);
        TYPE.addMethod(new GoType.Method(name, signature, false, (_, arguments) -> {
            return getter.apply(((GoInt) arguments.getFirst()).value());
        }));
    }

    /** A whole number of units and a fraction, added as Go does. */
    private static GoFloat in(long nanos, long unit) {
        long whole = nanos / unit;
        return GoFloat.of(whole + (double) (nanos % unit) / unit);
    }

    /** A {@code time.Duration}. */
    public static GoInt of(long nanos) {
        return new GoInt(TYPE, nanos);
    }

    /** {@code Duration.String}, for example {@code 1h30m0s}; a byte string. */
    public static String text(long nanos) {
        long size = nanos < 0 ? -nanos : nanos;
        if (size == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder(24).append(nanos < 0 ? "-" : "");
        if (Long.compareUnsigned(size, SECOND) < 0) {
            // The largest unit with a digit before the point; the micro sign is two bytes.
            if (size < MICROSECOND) {
                text.append(size).append("ns");
            } else if (size < MILLISECOND) {
                appendDecimal(text, size, MICROSECOND).append("\u00c2\u00b5s");
            } else {
                appendDecimal(text, size, MILLISECOND).append("ms");
            }
            return text.toString();
        }
        long seconds = Long.divideUnsigned(size, SECOND);
        text.append(seconds >= 3600 ? seconds / 3600 + "h" : "");
        text.append(seconds >= 60 ? seconds / 60 % 60 + "m" : "");
        long rest = seconds % 60 * SECOND + Long.remainderUnsigned(size, SECOND);
        return appendDecimal(text, rest, SECOND).append('s').toString();
    }

    private static StringBuilder appendDecimal(StringBuilder text, long value, long unit) {
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
        String text = negative || bytes.startsWith("+") ? bytes.substring(1) : bytes;
        if (text.equals("0")) {
            return 0;
        }
        if (text.isEmpty()) {
            throw invalid(bytes);
        }
        // Counted downwards, because the smallest duration has no positive counterpart.
        long total = 0;
        try {
            for (int at = 0; at < text.length(); ) {
                int point = digitsEnd(text, at);
                boolean hasPoint = point < text.length() && text.charAt(point) == '.';
                int end = hasPoint ? digitsEnd(text, point + 1) : point;
                String whole = text.substring(at, point);
                String decimals = hasPoint ? text.substring(point + 1, end) : "";
                if (whole.isEmpty() && decimals.isEmpty()) {
                    throw invalid(bytes);
                }
                at = unitEnd(text, end);
                long unit = unit(bytes, text.substring(end, at));
                total = Math.addExact(total, Math.multiplyExact(Long.parseLong("-0" + whole), unit));
                total = Math.subtractExact(total, fraction(decimals, unit));
            }
            return negative ? total : Math.negateExact(total);
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            throw invalid(bytes);
        }
    }

    private static int digitsEnd(String text, int start) {
        int end = start;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static int unitEnd(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) != '.' && !isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static long unit(String bytes, String name) throws GoCallException {
        return switch (name) {
            case "ns" -> 1;
            // Micro sign and Greek letter, in UTF-8.
            case "us", "\u00c2\u00b5s", "\u00ce\u00bcs" -> MICROSECOND;
            case "ms" -> MILLISECOND;
            case "s" -> SECOND;
            case "m" -> MINUTE;
            case "h" -> HOUR;
            case "" -> throw new GoCallException("time: missing unit in duration " + GoQuote.quote(bytes));
            default ->
                throw new GoCallException(
                        "time: unknown unit " + GoQuote.quote(name) + " in duration " + GoQuote.quote(bytes));
        };
    }

    /** Rounded as Go does: the scale first. */
    private static long fraction(String decimals, long unit) {
        String digits = decimals.substring(0, Math.min(decimals.length(), MOST_DECIMALS));
        return digits.isEmpty() ? 0 : (long) (Long.parseLong(digits) * (unit / Math.pow(10, digits.length())));
    }

    private static GoCallException invalid(String bytes) {
        return new GoCallException("time: invalid duration " + GoQuote.quote(bytes));
    }
}
