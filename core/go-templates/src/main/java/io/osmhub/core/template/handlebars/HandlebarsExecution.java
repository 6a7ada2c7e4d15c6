package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import java.io.Writer;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * One execution on one thread: its environment, context and output.
 *
 * <p>The library does not pass the execution to its resolver, cache and formatter, so it is bound to the thread while it lasts.
 */
final class HandlebarsExecution {
    private static final ScopedValue<HandlebarsExecution> CURRENT = ScopedValue.newInstance();

    private final ExecutionEnvironment environment;
    private final NameScope root;
    private BudgetedWriter writer;
    private String lastMissingName = "";

    HandlebarsExecution(ExecutionEnvironment environment, GoValue root, BudgetedWriter writer) {
        this.environment = environment;
        this.root = new NameScope(root);
        this.writer = writer;
    }

    static ScopedValue<HandlebarsExecution> scopedValue() {
        return CURRENT;
    }

    /** The execution of the calling thread. */
    static HandlebarsExecution current() throws NoSuchElementException {
        return CURRENT.get();
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    NameScope root() {
        return root;
    }

    BudgetedWriter writer() {
        return writer;
    }

    /** The last name that a scope could not resolve. */
    String lastMissingName() {
        return lastMissingName;
    }

    void recordMissingName(String name) {
        lastMissingName = name;
    }

    /** Redirects the output; returns the previous target. */
    BudgetedWriter redirect(BudgetedWriter target) {
        BudgetedWriter previous = writer;
        writer = target;
        return previous;
    }

    /**
     * A value in which names are resolved: the context of a file, or its replacement by {@code with} and {@code each}. It differs from
     * a value inside a path: a name missing in a scope is resolved further out, one missing at the end of a path is not.
     *
     * @param names override the value's own: those after a block tag's {@code as}, or a snippet's arguments. The library has contexts
     *     for both, but within them it resolves outside before inside.
     */
    record NameScope(GoValue value, Names names) {
        @FunctionalInterface
        interface Names {
            Names NONE = name -> null;

            @Nullable GoValue get(String name);
        }

        NameScope(GoValue value) {
            this(value, Names.NONE);
        }
    }

    /** Collects text and charges every piece before storing it. Not thread-safe. */
    static final class BudgetedWriter extends Writer {
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
}
