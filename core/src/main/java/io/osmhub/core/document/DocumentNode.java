package io.osmhub.core.document;

import io.osmhub.core.problem.SourcePosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Part of a document: a scalar, a list or an object. */
public sealed interface DocumentNode {
    SourcePosition position();

    /** The type for messages: {@code a string}, {@code a list}. */
    String describe();

    /** The resolved type of a scalar without quotes. */
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

    /** {@code text} is the JSON text of a number or boolean, empty for null, or the content of a string. */
    record Scalar(Kind kind, String text, SourcePosition position) implements DocumentNode {
        @Override
        public String describe() {
            return kind.description;
        }
    }

    record Items(List<DocumentNode> nodes, SourcePosition position) implements DocumentNode {
        public Items {
            nodes = List.copyOf(nodes);
        }

        @Override
        public String describe() {
            return "a list";
        }
    }

    /** An object; names are unique and in the order of the text. */
    record Fields(List<Field> fields, SourcePosition position) implements DocumentNode {
        public Fields {
            fields = List.copyOf(fields);
        }

        /** The value of a field, null if missing. */
        public @Nullable DocumentNode get(String name) {
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

    /** A field of an object; {@code position} is that of the name. */
    record Field(String name, DocumentNode value, SourcePosition position) {}
}
