package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** Collects printed text, charged to the environment's budget before it is written. */
final class BudgetedBuffer {
    /** Small amounts are charged together. */
    private static final int LUMP = 512;

    private final StringBuilder text = new StringBuilder();
    private final @Nullable ExecutionEnvironment environment;
    private long steps;
    private long bytes;

    /** {@code environment} is null for no limits. */
    BudgetedBuffer(@Nullable ExecutionEnvironment environment) {
        this.environment = environment;
    }

    @Nullable ExecutionEnvironment environment() {
        return environment;
    }

    /** Charges text of this length before it is written. */
    void reserve(long length) {
        bytes += length;
        steps++;
        if (environment != null && bytes + steps >= LUMP) {
            flushCharges();
        }
    }

    void flushCharges() {
        if (environment != null && bytes + steps > 0) {
            environment.charge(steps, bytes);
        }
        steps = 0;
        bytes = 0;
    }

    BudgetedBuffer write(char c) {
        bytes++;
        text.append(c);
        return this;
    }

    BudgetedBuffer write(String part) {
        reserve(part.length());
        text.append(part);
        return this;
    }

    BudgetedBuffer write(String source, int from, int to) {
        reserve((long) to - from);
        text.append(source, from, to);
        return this;
    }

    void writeRune(int rune) {
        bytes += Utf8Runes.size(rune);
        Utf8Runes.append(text, rune);
    }

    /** Writes the padding of one side. */
    void writePadding(FormatFlags directive, long count) {
        if (count > 0) {
            reserve(count);
            text.repeat(directive.zero && !directive.minus ? '0' : ' ', (int) count);
        }
    }

    /** Writes text with the directive's padding; a width counts characters. */
    void writePadded(FormatFlags directive, String part) {
        if (!directive.hasWidth || directive.width == 0) {
            write(part);
            return;
        }
        long missing = (long) directive.width - Utf8Runes.count(part);
        if (directive.minus) {
            write(part).writePadding(directive, missing);
        } else {
            writePadding(directive, missing);
            write(part);
        }
    }

    /** As {@link #writePadded}, but never with zeros. */
    void writeBlankPadded(FormatFlags directive, String part) {
        boolean zero = directive.zero;
        directive.zero = false;
        writePadded(directive, part);
        directive.zero = zero;
    }

    String finish() {
        flushCharges();
        return text.toString();
    }
}
