package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoNumbers.ParsedFloat;
import io.osmhub.core.golang.text.GoNumbers.ParsedInt;
import org.jspecify.annotations.Nullable;

/**
 * Makes a number of any value, as leniently as the Go library spf13/cast 1.10 does: pointers are followed, {@code true} is 1,
 * text is read as a number, and whatever is no number is 0.
 */
final class Casts {
    /** What Go's conversion of a float makes of all that does not fit; by the language's rules it could be anything. */
    private static final long UNREPRESENTABLE = Long.MIN_VALUE;

    private Casts() {}

    static long toInt(Value value) {
        Value target = target(value);
        if (target instanceof Int number) {
            return number.value();
        }
        if (target instanceof Flt number) {
            return truncated(number.value());
        }
        if (target instanceof Bool bool) {
            return bool.value() ? 1 : 0;
        }
        return target instanceof Str text ? toInt(text.bytes()) : 0;
    }

    static double toFloat(Value value) {
        Value target = target(value);
        if (target instanceof Int number) {
            return number.kind().isUnsigned() ? unsigned(number.value()) : number.value();
        }
        if (target instanceof Flt number) {
            return number.value();
        }
        if (target instanceof Bool bool) {
            return bool.value() ? 1 : 0;
        }
        if (target instanceof Str text) {
            ParsedFloat read = GoNumbers.readFloat(text.bytes(), 64);
            return read.problem() == null ? read.value() : 0;
        }
        return 0;
    }

    /** Go's conversion of a float64 to an int64. */
    static long truncated(double number) {
        boolean fits = number >= -0x1p63 && number < 0x1p63;
        return fits ? (long) number : UNREPRESENTABLE;
    }

    private static double unsigned(long bits) {
        if (bits >= 0) {
            return bits;
        }
        // Halved with a sticky last bit, so that the one rounding is right.
        return (double) (bits >>> 1 | bits & 1) * 2;
    }

    private static @Nullable Value target(Value value) {
        Value target = value;
        // Bounded, because a pointer can be made to point to itself.
        for (int i = 0; target instanceof Pointer pointer && i < 100; i++) {
            target = pointer.target();
        }
        return target;
    }

    // The base goes by the prefix, so 010 is 8; digits behind a decimal point are cut off, but only behind a plain
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
