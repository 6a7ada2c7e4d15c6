package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoComplex;
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
        String text,
        @Nullable Long integer,
        @Nullable Long unsigned,
        @Nullable Double floating,
        @Nullable GoComplex complex,
        @Nullable GoValue idealConstant) {
    private static final double TWO_TO_63 = 0x1p63;
    private static final double TWO_TO_64 = 0x1p64;
    /** The longest escape in a character constant, {@code \U0010FFFF}. */
    private static final int LONGEST_CHARACTER = 10;

    /** Reads a character constant such as {@code 'a'}. */
    static NumberLiteral ofCharacter(String text) throws GoCallException {
        try {
            long value = GoQuote.characterValue(text);
            return new NumberLiteral(text, value, value, (double) value, null, GoInt.of(value));
        } catch (GoCallException failure) {
            throw beginsWithCharacter(text) ? new GoCallException("malformed character constant: " + text) : failure;
        }
    }

    /** Whether it starts with a character and has more. */
    private static boolean beginsWithCharacter(String text) {
        for (int end = 2; end < Math.min(text.length() - 1, LONGEST_CHARACTER + 2); end++) {
            try {
                GoQuote.characterValue(text.substring(0, end) + "'");
                return true;
            } catch (GoCallException notYet) {
                // With more of the text it may be a character.
            }
        }
        return false;
    }

    /** Reads a complex number with both parts, such as {@code 1+2i}. */
    static NumberLiteral ofComplex(String text) throws GoCallException {
        // The sign between the parts is the last one that is not part of an exponent.
        int middle = text.length() - 1;
        while (!isSign(text.charAt(middle)) || isExponent(text, middle - 1)) {
            middle--;
        }
        double real = GoNumbers.parseFloat(text.substring(0, middle), 64);
        double imaginary = GoNumbers.parseFloat(text.substring(middle, text.length() - 1), 64);
        return complex(text, real, imaginary);
    }

    private static boolean isSign(char c) {
        return c == '+' || c == '-';
    }

    private static boolean isExponent(String text, int at) {
        char c = text.charAt(at);
        return c == 'p' || c == 'P' || (c == 'e' || c == 'E') && !text.startsWith("0x") && !text.startsWith("0X");
    }

    /** Reads any other number. */
    static NumberLiteral ofNumber(String text) throws GoCallException {
        if (text.endsWith("i")) {
            GoNumbers.ParsedFloat imaginary = GoNumbers.readFloat(text.substring(0, text.length() - 1), 64);
            if (imaginary.problem() == null) {
                return complex(text, 0, imaginary.value());
            }
        }
        GoNumbers.ParsedInt signed = GoNumbers.readInt(text, 0, 64);
        GoNumbers.ParsedInt unsigned = GoNumbers.readUint(text, 0, 64);
        if (signed.problem() == null) {
            long value = signed.value();
            // Zero is unsigned even as -0.
            Long asUnsigned = unsigned.problem() == null ? (Long) unsigned.value() : value == 0 ? (Long) 0L : null;
            return new NumberLiteral(text, value, asUnsigned, (double) value, null, GoInt.of(value));
        }
        if (unsigned.problem() == null) {
            return new NumberLiteral(text, null, unsigned.value(), unsignedToDouble(unsigned.value()), null, null);
        }
        GoNumbers.ParsedFloat parsed = GoNumbers.readFloat(text, 64);
        if (parsed.problem() != null) {
            throw new GoCallException("illegal number syntax: " + GoQuote.quote(text));
        }
        boolean looksLikeFloat = text.chars().anyMatch(c -> ".eEpP".indexOf(c) >= 0);
        if (!looksLikeFloat) {
            throw new GoCallException("integer overflow: " + GoQuote.quote(text));
        }
        double value = parsed.value();
        return new NumberLiteral(text, exactLong(value), exactUnsigned(value), value, null, GoFloat.of(value));
    }

    private static NumberLiteral complex(String text, double real, double imaginary) {
        GoComplex value = new GoComplex(GoType.COMPLEX128, real, imaginary);
        boolean isReal = imaginary == 0;
        return new NumberLiteral(
                text,
                isReal ? exactLong(real) : null,
                isReal ? exactUnsigned(real) : null,
                isReal ? (Double) real : null,
                value,
                value);
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
