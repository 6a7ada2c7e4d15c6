package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import org.jspecify.annotations.Nullable;

/**
 * A number literal. It has no type until it is used: each part is its value as that kind, null if it does not fit, so that {@code
 * 1e3} can be an int and {@code 3} a float.
 *
 * @param unsigned the bits of a uint64
 * @param idealConstant its value without a required type; null if it overflows an int
 */
record NumberLiteral(
        @Nullable Long integer,
        @Nullable Long unsigned,
        double floating,
        @Nullable GoValue idealConstant) {
    private static final double TWO_TO_63 = 0x1p63;
    private static final double TWO_TO_64 = 0x1p64;

    /** Reads a character constant such as {@code 'a'}. */
    static NumberLiteral ofCharacter(String text) throws GoCallException {
        try {
            long value = GoQuote.characterValue(text);
            return new NumberLiteral(value, value, value, GoInt.of(value));
        } catch (GoCallException failure) {
            throw new GoCallException("malformed character constant: " + text);
        }
    }

    /** Reads any other number. */
    static NumberLiteral ofNumber(String text) throws GoCallException {
        if (text.endsWith("i")) {
            throw GoCallException.unsupported("a complex number", "no profile calculates with " + text);
        }
        GoNumbers.ParsedInt signed = GoNumbers.readInt(text, 0, 64);
        GoNumbers.ParsedInt unsigned = GoNumbers.readUint(text, 0);
        if (signed.problem() == null) {
            long value = signed.value();
            // Zero is unsigned even as -0.
            Long asUnsigned = unsigned.problem() == null || value == 0 ? (Long) value : null;
            return new NumberLiteral(value, asUnsigned, value, GoInt.of(value));
        }
        if (unsigned.problem() == null) {
            return new NumberLiteral(null, unsigned.value(), unsignedToDouble(unsigned.value()), null);
        }
        GoNumbers.ParsedFloat parsed = GoNumbers.readFloat(text, 64);
        boolean looksLikeFloat = text.chars().anyMatch(c -> ".eEpP".indexOf(c) >= 0);
        if (parsed.problem() != null || !looksLikeFloat) {
            boolean isOverflow = parsed.problem() == null;
            throw new GoCallException(
                    (isOverflow ? "integer overflow: " : "bad number syntax: ") + GoQuote.quote(text));
        }
        double value = parsed.value();
        return new NumberLiteral(exactLong(value), exactUnsigned(value), value, GoFloat.of(value));
    }

    private static @Nullable Long exactLong(double value) {
        boolean fits = value == Math.rint(value) && value >= -TWO_TO_63 && value < TWO_TO_63;
        return fits ? (Long) (long) value : null;
    }

    private static @Nullable Long exactUnsigned(double value) {
        if (value != Math.rint(value) || value < 0 || value >= TWO_TO_64) {
            return null;
        }
        return value < TWO_TO_63 ? (Long) (long) value : (Long) ((long) (value - TWO_TO_63) ^ Long.MIN_VALUE);
    }

    private static double unsignedToDouble(long bits) {
        // Halved with the lost bit kept, so that rounding is the same as for the whole.
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }
}
