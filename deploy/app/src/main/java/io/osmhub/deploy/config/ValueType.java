package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The type of a configuration value: parses it from file and text, reports errors, and formats it. */
sealed interface ValueType<T> {
    /** For example {@code duration}. */
    String type();

    /** Restrictions beyond the type; empty if none. */
    String values();

    /** Parses part of a file; returns null if invalid, which is reported. */
    @Nullable T read(DocumentNode node, String key, ErrorReporter mistakes);

    /** Parses text from the environment or command line; returns null if invalid, which is reported. */
    @Nullable T read(String text, String key, ErrorReporter mistakes);

    /** In file syntax. */
    String write(T value);

    /** Whether environment and command line can set it. */
    boolean isTextual();

    /** Receives errors. */
    @FunctionalInterface
    interface ErrorReporter {
        /** {@code key} may end with an index; {@code at} is the position in the file, unknown for text. */
        void add(SourcePosition at, String key, String what, String cure);
    }

    /** A value or an error: exactly one is null. */
    record ParsedValue<T>(@Nullable T value, @Nullable String wrong, String cure) {
        static <T> ParsedValue<T> of(T value) {
            return new ParsedValue<>(value, null, "");
        }

        static <T> ParsedValue<T> wrong(String what, String cure) {
            return new ParsedValue<>(null, what, cure);
        }
    }

    /** A string, number or boolean. */
    record ScalarValue<T>(
            String type,
            String values,
            Set<DocumentNode.Kind> kinds,
            Function<String, ParsedValue<T>> parse,
            Function<T, String> write)
            implements ValueType<T> {
        @Override
        public @Nullable T read(DocumentNode node, String key, ErrorReporter mistakes) {
            if (node instanceof DocumentNode.Scalar scalar && kinds.contains(scalar.kind())) {
                return read(scalar.text(), scalar.position(), key, mistakes);
            }
            boolean wantsText = kinds.equals(Set.of(DocumentNode.Kind.TEXT));
            boolean quoted = node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.TEXT;
            String cure = !(node instanceof DocumentNode.Scalar)
                    ? "write one value"
                    : wantsText ? "put it in quotes" : quoted ? "write it without quotes" : "correct it";
            if (quoted && !(parse.apply(((DocumentNode.Scalar) node).text()).wrong() == null)) {
                // Not about quotes: the type's own message is more helpful.
                return read(((DocumentNode.Scalar) node).text(), node.position(), key, mistakes);
            }
            mistakes.add(
                    node.position(),
                    key,
                    "is " + node.describe() + ", not " + (type.startsWith("a") ? "an " : "a ") + type,
                    cure);
            return null;
        }

        @Override
        public @Nullable T read(String text, String key, ErrorReporter mistakes) {
            return read(text, SourcePosition.NONE, key, mistakes);
        }

        private @Nullable T read(String text, SourcePosition at, String key, ErrorReporter mistakes) {
            ParsedValue<T> reading = parse.apply(text);
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
        public boolean isTextual() {
            return true;
        }
    }

    /** A list; in text its items are separated by commas. */
    record ListValue<T>(ScalarValue<T> item) implements ValueType<List<T>> {
        @Override
        public String type() {
            return "list of " + item.type() + "s";
        }

        @Override
        public String values() {
            return item.values();
        }

        @Override
        public @Nullable List<T> read(DocumentNode node, String key, ErrorReporter mistakes) {
            if (!(node instanceof DocumentNode.Items items)) {
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
        public @Nullable List<T> read(String text, String key, ErrorReporter mistakes) {
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
        public boolean isTextual() {
            return true;
        }
    }

    /** A structured value. */
    non-sealed interface StructuredValue<T> extends ValueType<T> {}
}
