package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Environment;
import org.jspecify.annotations.Nullable;

/** Where printed text is gathered. What it will take is charged to the environment's budget before it is made. */
final class Output {
    /** Small amounts are gathered to this before they are charged. */
    private static final int LUMP = 512;

    private final StringBuilder text = new StringBuilder();
    private final @Nullable Environment environment;
    private long steps;
    private long bytes;

    /** {@code environment} is null where nothing is limited. */
    Output(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Nullable Environment environment() {
        return environment;
    }

    /** Says that text of this length is about to be made. */
    void reserve(long length) {
        bytes += length;
        steps++;
        if (environment != null && bytes + steps >= LUMP) {
            settle();
        }
    }

    void settle() {
        if (environment != null && bytes + steps > 0) {
            environment.charge(steps, bytes);
        }
        steps = 0;
        bytes = 0;
    }

    Output write(char c) {
        bytes++;
        text.append(c);
        return this;
    }

    Output write(String part) {
        reserve(part.length());
        text.append(part);
        return this;
    }

    Output write(String source, int from, int to) {
        reserve((long) to - from);
        text.append(source, from, to);
        return this;
    }

    void writeRune(int rune) {
        bytes += Utf8.size(rune);
        Utf8.append(text, rune);
    }

    /** Writes the padding of one side. */
    void fill(Directive directive, long count) {
        if (count > 0) {
            reserve(count);
            text.repeat(directive.zero && !directive.minus ? '0' : ' ', (int) count);
        }
    }

    /** Writes text on the side of its field that the directive says; a width counts characters. */
    void pad(Directive directive, String part) {
        if (!directive.hasWidth || directive.width == 0) {
            write(part);
            return;
        }
        long missing = (long) directive.width - Utf8.count(part);
        if (directive.minus) {
            write(part).fill(directive, missing);
        } else {
            fill(directive, missing);
            write(part);
        }
    }

    /** As {@link #pad}, but never with zeros. */
    void padWithBlanks(Directive directive, String part) {
        boolean zero = directive.zero;
        directive.zero = false;
        pad(directive, part);
        directive.zero = zero;
    }

    String finish() {
        settle();
        return text.toString();
    }
}
