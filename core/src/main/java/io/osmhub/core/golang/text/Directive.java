package io.osmhub.core.golang.text;

/** What stands between {@code %} and the verb: flags, width and precision. Reused from verb to verb. */
final class Directive {
    /** More than this is no width or precision for Go. */
    static final int TOO_LARGE = 1_000_000;

    boolean plus;
    boolean minus;
    boolean sharp;
    boolean space;
    boolean zero;

    /** The {@code +} of {@code %+v}: names the fields of structs. Then {@code plus} is off. */
    boolean plusV;

    /** The {@code #} of {@code %#v}: Go syntax. Then {@code sharp} is off. */
    boolean sharpV;

    boolean hasWidth;
    int width;
    boolean hasPrecision;
    int precision;

    void clear() {
        plus = false;
        minus = false;
        sharp = false;
        space = false;
        zero = false;
        plusV = false;
        sharpV = false;
        hasWidth = false;
        width = 0;
        hasPrecision = false;
        precision = 0;
    }

    /** Takes note of a flag; false when the character is none. */
    boolean flag(char c) {
        switch (c) {
            case '+' -> plus = true;
            case '-' -> minus = true;
            case '#' -> sharp = true;
            case ' ' -> space = true;
            case '0' -> zero = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    /** With {@code %v}, plus and sharp have their other meaning. */
    void forVerbV() {
        sharpV = sharp;
        sharp = false;
        plusV = plus;
        plus = false;
    }

    /** Flags for a moment; {@link #restore} brings the old ones back. */
    Directive copy() {
        Directive copy = new Directive();
        copy.restore(this);
        return copy;
    }

    void restore(Directive saved) {
        plus = saved.plus;
        minus = saved.minus;
        sharp = saved.sharp;
        space = saved.space;
        zero = saved.zero;
        plusV = saved.plusV;
        sharpV = saved.sharpV;
        hasWidth = saved.hasWidth;
        width = saved.width;
        hasPrecision = saved.hasPrecision;
        precision = saved.precision;
    }
}
