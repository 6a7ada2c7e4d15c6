package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Environment;
import java.io.Writer;

/** Collects text, every piece charged before it is kept. For one thread. */
final class BoundedWriter extends Writer {
    private final Environment environment;
    private final boolean output;
    private final StringBuilder text = new StringBuilder();

    private BoundedWriter(Environment environment, boolean output) {
        this.environment = environment;
        this.output = output;
    }

    /** For a file: its text is output. */
    static BoundedWriter forFile(Environment environment) {
        return new BoundedWriter(environment, true);
    }

    /** For a block whose text becomes a value. */
    static BoundedWriter forValue(Environment environment) {
        return new BoundedWriter(environment, false);
    }

    private void charge(CharSequence piece, int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            char c = piece.charAt(i);
            // A surrogate is half of a character of four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        if (output) {
            environment.output(bytes);
        } else {
            environment.charge(1, bytes);
        }
    }

    @Override
    public void write(char[] characters, int offset, int length) {
        write(new String(characters, offset, length));
    }

    @Override
    public void write(String piece) {
        charge(piece, 0, piece.length());
        text.append(piece);
    }

    @Override
    public void write(String piece, int offset, int length) {
        charge(piece, offset, offset + length);
        text.append(piece, offset, offset + length);
    }

    @Override
    public Writer append(CharSequence piece) {
        charge(piece, 0, piece.length());
        text.append(piece);
        return this;
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        // Memory needs no closing.
    }

    /** What was written. */
    String text() {
        return text.toString();
    }
}
