package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.Comparator;

/**
 * The order of a map's keys: numbers and bools by size, before strings; strings in natural order, so that {@code a2} stands
 * before {@code a10}.
 */
final class NaturalKeyOrder implements Comparator<GoValue> {
    /** That of {@code yaml.v3}: within a number, letters come before further digits. */
    static final NaturalKeyOrder V3 = new NaturalKeyOrder(true);
    /** That of version 2: letters always come last. */
    static final NaturalKeyOrder V2 = new NaturalKeyOrder(false);

    private final boolean lettersEndNumbers;

    private NaturalKeyOrder(boolean lettersEndNumbers) {
        this.lettersEndNumbers = lettersEndNumbers;
    }

    @Override
    public int compare(GoValue left, GoValue right) {
        GoValue a = target(left);
        GoValue b = target(right);
        if (a instanceof GoString first && b instanceof GoString second) {
            return natural(
                    first.text().codePoints().toArray(),
                    second.text().codePoints().toArray());
        }
        if (isNumber(a) && isNumber(b)) {
            int order = Double.compare(size(a), size(b));
            if (order != 0) {
                return order;
            }
            if (a.kind() == b.kind()) {
                return exact(a, b);
            }
        }
        return a.kind().compareTo(b.kind());
    }

    private static GoValue target(GoValue value) {
        GoValue target = value;
        while (target instanceof GoPointer pointer && pointer.target() != null) {
            target = pointer.target();
        }
        return target;
    }

    private static boolean isNumber(GoValue value) {
        return value instanceof GoInt || value instanceof GoFloat || value instanceof GoBool;
    }

    private static double size(GoValue value) {
        return switch (value) {
            case GoInt integer when integer.kind().isSigned() -> integer.value();
            case GoInt integer -> (integer.value() >>> 1) * 2.0 + (integer.value() & 1);
            case GoFloat number -> number.value() + 0.0; // makes -0 equal to 0
            case GoBool bool -> bool.value() ? 1 : 0;
            default -> throw new IllegalArgumentException(value.type() + " is not a number");
        };
    }

    private static int exact(GoValue a, GoValue b) {
        if (a instanceof GoInt first && b instanceof GoInt second) {
            return first.kind().isSigned()
                    ? Long.compare(first.value(), second.value())
                    : Long.compareUnsigned(first.value(), second.value());
        }
        return 0;
    }

    private int natural(int[] a, int[] b) {
        boolean afterDigit = false;
        for (int i = 0; i < a.length && i < b.length; i++) {
            if (a[i] == b[i]) {
                afterDigit = isDigit(a[i]);
                continue;
            }
            boolean firstIsLetter = Character.isLetter(a[i]);
            boolean secondIsLetter = Character.isLetter(b[i]);
            if (firstIsLetter && secondIsLetter) {
                return Integer.compare(a[i], b[i]);
            }
            if (firstIsLetter || secondIsLetter) {
                return firstIsLetter == (afterDigit && lettersEndNumbers) ? -1 : 1;
            }
            return digits(a, b, i);
        }
        return Integer.compare(a.length, b.length);
    }

    /** Neither of the two characters at {@code i} is a letter: the numbers that begin there decide. */
    private static int digits(int[] a, int[] b, int i) {
        // Zeros within a number count, zeros before a number do not.
        long lead = (a[i] == '0' || b[i] == '0') && endsInNumber(a, i) ? 1 : 0;
        int firstEnd = digitsEnd(a, i);
        int secondEnd = digitsEnd(b, i);
        int order = Long.compare(number(a, i, firstEnd, lead), number(b, i, secondEnd, lead));
        if (order == 0) {
            order = Integer.compare(firstEnd, secondEnd);
        }
        return order == 0 ? Integer.compare(a[i], b[i]) : order;
    }

    private static boolean endsInNumber(int[] text, int end) {
        for (int i = end - 1; i >= 0 && isDigit(text[i]); i--) {
            if (text[i] != '0') {
                return true;
            }
        }
        return false;
    }

    private static int digitsEnd(int[] text, int start) {
        int end = start;
        while (end < text.length && isDigit(text[end])) {
            end++;
        }
        return end;
    }

    /** Overflows like Go's int64 when there are very many digits. */
    private static long number(int[] text, int start, int end, long lead) {
        long number = lead;
        for (int i = start; i < end; i++) {
            number = number * 10 + (text[i] - '0');
        }
        return number;
    }

    private static boolean isDigit(int codePoint) {
        return Character.getType(codePoint) == Character.DECIMAL_DIGIT_NUMBER;
    }
}
