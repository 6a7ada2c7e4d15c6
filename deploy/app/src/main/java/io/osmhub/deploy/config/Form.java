package io.osmhub.deploy.config;

import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What values a key takes: reads them from a file and from a text, says what is wrong, and writes them. */
sealed interface Form<T> {
    /** For example {@code duration}. */
    String type();

    /** What a value may be beyond its type; empty when anything of the type. */
    String values();

    /** The value of a part of a file; null when it is wrong, which is then reported. */
    @Nullable T read(Node node, String key, Reporter mistakes);

    /** The value of a text of the environment or the command line; null when it is wrong, which is then reported. */
    @Nullable T read(String text, String key, Reporter mistakes);

    /** As in a file. */
    String write(T value);

    /** Whether environment and command line can give it. */
    boolean inText();

    /** Hears what is wrong. */
    @FunctionalInterface
    interface Reporter {
        /** {@code key} may go on with an index; {@code at} is in the file, unknown for a text. */
        void add(Position at, String key, String what, String cure);
    }

    /** A value, or what is wrong: one of both is null. */
    record Reading<T>(@Nullable T value, @Nullable String wrong, String cure) {
        static <T> Reading<T> of(T value) {
            return new Reading<>(value, null, "");
        }

        static <T> Reading<T> wrong(String what, String cure) {
            return new Reading<>(null, what, cure);
        }
    }

    /** One text, number or boolean. */
    record Scalar<T>(
            String type,
            String values,
            Set<Node.Kind> kinds,
            Function<String, Reading<T>> parse,
            Function<T, String> write)
            implements Form<T> {
        @Override
        public @Nullable T read(Node node, String key, Reporter mistakes) {
            if (node instanceof Node.Scalar scalar && kinds.contains(scalar.kind())) {
                return read(scalar.text(), scalar.position(), key, mistakes);
            }
            boolean wantsText = kinds.equals(Set.of(Node.Kind.TEXT));
            boolean quoted = node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.TEXT;
            String cure = !(node instanceof Node.Scalar)
                    ? "write one value"
                    : wantsText ? "put it in quotes" : quoted ? "write it without quotes" : "correct it";
            if (quoted && !(parse.apply(((Node.Scalar) node).text()).wrong() == null)) {
                // Not a matter of quotes: what the form says of the text helps more.
                return read(((Node.Scalar) node).text(), node.position(), key, mistakes);
            }
            mistakes.add(
                    node.position(),
                    key,
                    "is " + node.describe() + ", not " + (type.startsWith("a") ? "an " : "a ") + type,
                    cure);
            return null;
        }

        @Override
        public @Nullable T read(String text, String key, Reporter mistakes) {
            return read(text, Position.NONE, key, mistakes);
        }

        private @Nullable T read(String text, Position at, String key, Reporter mistakes) {
            Reading<T> reading = parse.apply(text);
            String wrong = reading.wrong();
            if (wrong != null) {
                mistakes.add(at, key, wrong, reading.cure());
            }
            return reading.value();
        }

        @Override
        public String write(T value) {
            return write.apply(value);
        }

        @Override
        public boolean inText() {
            return true;
        }
    }

    /** A list; in a text its items are separated by commas. */
    record Items<T>(Scalar<T> item) implements Form<List<T>> {
        @Override
        public String type() {
            return "list of " + item.type() + "s";
        }

        @Override
        public String values() {
            return item.values();
        }

        @Override
        public @Nullable List<T> read(Node node, String key, Reporter mistakes) {
            if (!(node instanceof Node.Items items)) {
                mistakes.add(node.position(), key, "is " + node.describe() + ", not a list", "write [a, b]");
                return null;
            }
            List<T> values = new ArrayList<>();
            for (int i = 0; i < items.nodes().size(); i++) {
                T value = item.read(items.nodes().get(i), key + "[" + i + "]", mistakes);
                if (value != null) {
                    values.add(value);
                }
            }
            return values.size() == items.nodes().size() ? values : null;
        }

        @Override
        public @Nullable List<T> read(String text, String key, Reporter mistakes) {
            List<T> values = new ArrayList<>();
            String[] parts = text.isBlank() ? new String[0] : text.split(",", -1);
            for (String part : parts) {
                T value = item.read(part.strip(), key, mistakes);
                if (value != null) {
                    values.add(value);
                }
            }
            return values.size() == parts.length ? values : null;
        }

        @Override
        public String write(List<T> values) {
            return values.stream().map(item::write).collect(Collectors.joining(", ", "[", "]"));
        }

        @Override
        public boolean inText() {
            return true;
        }
    }

    /** Something with an inner structure. */
    non-sealed interface Structured<T> extends Form<T> {}
}
