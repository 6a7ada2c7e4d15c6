package io.osmhub.core.golang.text;

/** The verbs of strings. */
final class StringVerbs {
    private final FormatFlags directive;
    private final BudgetedBuffer output;

    StringVerbs(FormatFlags directive, BudgetedBuffer output) {
        this.directive = directive;
        this.output = output;
    }

    /** {@code %s}: cut at the precision. */
    void plain(String bytes) {
        output.writePadded(directive, cut(bytes));
    }

    /** {@code %q}: in quotes, or with {@code #} in backquotes if possible. */
    void quoted(String bytes) {
        String part = cut(bytes);
        if (directive.sharp && GoQuote.canBackquote(part)) {
            output.writePadded(directive, "`" + part + "`");
            return;
        }
        output.reserve(part.length());
        output.writePadded(directive, directive.plus ? GoQuote.quoteToAscii(part) : GoQuote.quote(part));
    }

    /** The precision counts characters. */
    private String cut(String bytes) {
        if (!directive.hasPrecision || directive.precision >= bytes.length()) {
            return bytes;
        }
        int end = 0;
        for (int left = directive.precision; left > 0 && end < bytes.length(); left--) {
            end += Utf8Runes.size(Utf8Runes.runeAt(bytes, end));
        }
        return bytes.substring(0, end);
    }

    /** {@code %x} and {@code %X}: the bytes; here the precision counts bytes. */
    void hex(String bytes, boolean upper) {
        int length = directive.hasPrecision ? Math.min(directive.precision, bytes.length()) : bytes.length();
        String prefix = !directive.sharp ? "" : upper ? "0X" : "0x";
        String between = directive.space ? " " + prefix : "";
        String digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
        output.reserve((2L + between.length()) * length);
        StringBuilder text = new StringBuilder((2 + between.length()) * length + prefix.length());
        for (int i = 0; i < length; i++) {
            int value = bytes.charAt(i);
            text.append(i == 0 ? prefix : between)
                    .append(digits.charAt(value >> 4))
                    .append(digits.charAt(value & 0xF));
        }
        output.writePadded(directive, text.toString());
    }
}
