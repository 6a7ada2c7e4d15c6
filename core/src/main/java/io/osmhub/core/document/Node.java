package io.osmhub.core.document;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Part of a document: a scalar, a list or an object. */
public sealed interface Node {
    Position position();

    /** What it is, in the words of a message: {@code a string}, {@code a list}. */
    String describe();

    /** What a scalar without quotes was read as. */
    enum Kind {
        NULL("null"),
        BOOL("a boolean"),
        INTEGER("a number"),
        DECIMAL("a number"),
        TEXT("a string");

        private final String description;

        Kind(String description) {
            this.description = description;
        }
    }

    /** {@code text} is JSON's text of a number or boolean, empty for null, and the content of a string. */
    record Scalar(Kind kind, String text, Position position) implements Node {
        @Override
        public String describe() {
            return kind.description;
        }
    }

    /** A list. */
    record Items(List<Node> nodes, Position position) implements Node {
        public Items {
            nodes = List.copyOf(nodes);
        }

        @Override
        public String describe() {
            return "a list";
        }
    }

    /** An object; names are in the order of the text and occur once. */
    record Fields(List<Field> fields, Position position) implements Node {
        public Fields {
            fields = List.copyOf(fields);
        }

        /** The value of that name, null when the object does not have it. */
        public @Nullable Node get(String name) {
            Field field = field(name);
            return field == null ? null : field.value();
        }

        @Nullable Field field(String name) {
            for (Field field : fields) {
                if (field.name().equals(name)) {
                    return field;
                }
            }
            return null;
        }

        @Override
        public String describe() {
            return "an object";
        }
    }

    /** One name and value of an object; {@code position} is the name's. */
    record Field(String name, Node value, Position position) {}
}
