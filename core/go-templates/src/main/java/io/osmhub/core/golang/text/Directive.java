package io.osmhub.core.golang.text;

/** The part of a format between {@code %} and the verb. A width of 0 and a precision of -1 mean none. */
record Directive(String flags, int width, int precision) {
    static final Directive PLAIN = new Directive("", 0, -1);

    boolean has(char flag) {
        return flags.indexOf(flag) >= 0;
    }

    boolean hasPrecision() {
        return precision >= 0;
    }

    /** Whether a number is padded with zeros; on the right they would change it. */
    boolean padsWithZeros() {
        return has('0') && !has('-');
    }

    Directive without(char flag) {
        return new Directive(flags.replace(String.valueOf(flag), ""), width, precision);
    }
}
