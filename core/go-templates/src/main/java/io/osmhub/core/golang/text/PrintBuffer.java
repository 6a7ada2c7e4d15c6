package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;

/** Collects printed text. Charges it to the environment's budget as it grows, so that no endless text is collected. */
final class PrintBuffer {
    /** Bytes charged together. */
    private static final int LUMP = 512;

    private final StringBuilder text = new StringBuilder();
    private final ExecutionEnvironment environment;
    private long uncharged;

    PrintBuffer(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    /** Charges text of this length that is created before it is written. */
    void reserve(long length) {
        uncharged += length;
        if (uncharged >= LUMP) {
            environment.charge(1 + uncharged / LUMP, uncharged);
            uncharged = 0;
        }
    }

    PrintBuffer write(char c) {
        reserve(1);
        text.append(c);
        return this;
    }

    PrintBuffer write(String part) {
        reserve(part.length());
        text.append(part);
        return this;
    }

    PrintBuffer writeRune(int rune) {
        reserve(Utf8Runes.size(rune));
        Utf8Runes.append(text, rune);
        return this;
    }

    /** Writes text with the directive's width, which counts characters; as Go, also text is padded with zeros. */
    void writePadded(Directive directive, String part) {
        writePadded(directive, part, directive.padsWithZeros() ? '0' : ' ');
    }

    void writePadded(Directive directive, String part, char padding) {
        int missing = directive.width() == 0 ? 0 : Math.max(directive.width() - Utf8Runes.count(part), 0);
        reserve(missing);
        if (directive.has('-')) {
            write(part);
            text.repeat(padding, missing);
        } else {
            text.repeat(padding, missing);
            write(part);
        }
    }

    String finish() {
        environment.charge(1, uncharged);
        return text.toString();
    }
}
