package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.ExecutionEnvironment;
import java.io.Writer;

/** Collects text and charges every piece before storing it. Not thread-safe. */
final class BudgetedWriter extends Writer {
    private final ExecutionEnvironment environment;
    private final boolean output;
    private final StringBuilder text = new StringBuilder();

    private BudgetedWriter(ExecutionEnvironment environment, boolean output) {
        this.environment = environment;
        this.output = output;
    }

    /** For a file, whose text is output. */
    static BudgetedWriter forFile(ExecutionEnvironment environment) {
        return new BudgetedWriter(environment, true);
    }

    /** For a block whose text becomes a value. */
    static BudgetedWriter forValue(ExecutionEnvironment environment) {
        return new BudgetedWriter(environment, false);
    }

    private void charge(CharSequence piece, int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            char c = piece.charAt(i);
            // A surrogate is half of a character of four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        if (output) {
            environment.chargeOutput(bytes);
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
        // Nothing is buffered.
    }

    @Override
    public void close() {
        // Memory needs no closing.
    }

    String text() {
        return text.toString();
    }
}
