package io.osmhub.core.golang.text;

/** The part between {@code %} and the verb: flags, width and precision. Reused for all verbs. */
final class FormatFlags {
    /** Go rejects a larger width or precision. */
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

    /** Sets a flag; false if the character is not a flag. */
    boolean setFlag(char c) {
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

    /** With {@code %v}, plus and sharp have another meaning. */
    void applyVerbV() {
        sharpV = sharp;
        sharp = false;
        plusV = plus;
        plus = false;
    }

    /** A copy for temporary changes; {@link #restore} undoes them. */
    FormatFlags copy() {
        FormatFlags copy = new FormatFlags();
        copy.restore(this);
        return copy;
    }

    void restore(FormatFlags saved) {
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
