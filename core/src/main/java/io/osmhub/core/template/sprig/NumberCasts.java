package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoNumbers.ParsedFloat;
import io.osmhub.core.golang.text.GoNumbers.ParsedInt;
import org.jspecify.annotations.Nullable;

/**
 * Converts any value to a number, as leniently as the Go library spf13/cast 1.10: pointers are followed, {@code true} is 1, text is
 * parsed as a number, and any other value is 0.
 */
final class NumberCasts {
    /** Go's result of converting a float that does not fit; the language does not define it. */
    private static final long UNREPRESENTABLE = Long.MIN_VALUE;

    private NumberCasts() {}

    static long toInt(GoValue value) {
        GoValue target = target(value);
        if (target instanceof GoInt number) {
            return number.value();
        }
        if (target instanceof GoFloat number) {
            return truncate(number.value());
        }
        if (target instanceof GoBool bool) {
            return bool.value() ? 1 : 0;
        }
        return target instanceof GoString text ? toInt(text.bytes()) : 0;
    }

    static double toFloat(GoValue value) {
        GoValue target = target(value);
        if (target instanceof GoInt number) {
            return number.kind().isUnsigned() ? unsigned(number.value()) : number.value();
        }
        if (target instanceof GoFloat number) {
            return number.value();
        }
        if (target instanceof GoBool bool) {
            return bool.value() ? 1 : 0;
        }
        if (target instanceof GoString text) {
            ParsedFloat read = GoNumbers.readFloat(text.bytes(), 64);
            return read.problem() == null ? read.value() : 0;
        }
        return 0;
    }

    /** Go's conversion of a float64 to an int64. */
    static long truncate(double number) {
        boolean fits = number >= -0x1p63 && number < 0x1p63;
        return fits ? (long) number : UNREPRESENTABLE;
    }

    private static double unsigned(long bits) {
        if (bits >= 0) {
            return bits;
        }
        // Halved with a sticky last bit, so that it is rounded once.
        return (double) (bits >>> 1 | bits & 1) * 2;
    }

    private static @Nullable GoValue target(GoValue value) {
        GoValue target = value;
        // Bounded, because a pointer can point to itself.
        for (int i = 0; target instanceof GoPointer pointer && i < 100; i++) {
            target = pointer.target();
        }
        return target;
    }

    // The prefix determines the base, so 010 is 8; digits after a decimal point are cut off, but only of a decimal
    // number.
    private static long toInt(String text) {
        int point = text.indexOf('.');
        String whole = point >= 0 && isDigits(text, sign(text), point) && isDigits(text, point + 1, text.length())
                ? text.substring(0, point)
                : text;
        ParsedInt read = GoNumbers.readInt(whole, 0, 64);
        return read.problem() == null ? read.value() : 0;
    }

    private static int sign(String text) {
        return text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    }

    private static boolean isDigits(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
