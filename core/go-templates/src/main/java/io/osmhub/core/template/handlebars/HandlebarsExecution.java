package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Template;
import io.osmhub.core.golang.ExecutionEnvironment;
import java.io.IOException;
import java.io.Writer;

/**
 * The execution of a template on one thread: its environment, and where tags print.
 *
 * <p>The library does not pass it to its helpers, cache and formatter, so it is bound to the thread while it lasts.
 */
record HandlebarsExecution(ExecutionEnvironment environment, Writer writer) {
    static final ScopedValue<HandlebarsExecution> CURRENT = ScopedValue.newInstance();

    /** The innermost execution of the calling thread. */
    static HandlebarsExecution current() {
        return CURRENT.get();
    }

    /** What a template prints; {@code output} is true for the text of a file, and false for one that becomes a value. */
    static String render(Template template, Context context, ExecutionEnvironment environment, boolean output)
            throws IOException {
        Writer writer = new BudgetedWriter(environment, output);
        return ScopedValue.where(CURRENT, new HandlebarsExecution(environment, writer))
                .call(() -> {
                    template.apply(context, writer);
                    return writer.toString();
                });
    }

    /** Collects text and charges every piece before storing it. Not thread-safe. */
    private static final class BudgetedWriter extends Writer {
        private final ExecutionEnvironment environment;
        private final boolean output;
        private final StringBuilder text = new StringBuilder();

        private BudgetedWriter(ExecutionEnvironment environment, boolean output) {
            this.environment = environment;
            this.output = output;
        }

        /** All other methods of a writer end here. */
        @Override
        public void write(char[] characters, int offset, int length) {
            long bytes = 0;
            for (int i = offset; i < offset + length; i++) {
                char c = characters[i];
                // A surrogate is half of a character of four bytes.
                bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            }
            if (output) {
                environment.chargeOutput(bytes);
            } else {
                environment.charge(1, bytes);
            }
            text.append(characters, offset, length);
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Memory needs no closing.
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
