package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a parsed template. {@code position} is the byte of the source for error messages; {@code write} writes the text that
 * they quote, which is rebuilt from the tree with its own spacing.
 */
sealed interface TemplateNode {
    int position();

    /** An executable part: text, an action or a control structure. */
    sealed interface Statement extends TemplateNode {}

    /** A part of an expression; statements that hold one can be quoted too. */
    sealed interface QuotableNode extends TemplateNode {
        void write(StringBuilder to);

        default String toSource() {
            StringBuilder text = new StringBuilder();
            write(text);
            return text.toString();
        }
    }

    /** A word of a command: the function, or an argument. */
    sealed interface Operand extends QuotableNode {}

    record Text(int position, String text) implements Statement {}

    record Action(int position, Pipeline pipeline) implements Statement, QuotableNode {
        @Override
        public void write(StringBuilder to) {
            to.append("{{");
            pipeline.write(to);
            to.append("}}");
        }
    }

    record If(int position, Pipeline condition, List<Statement> then, List<Statement> otherwise) implements Statement {}

    record With(int position, Pipeline subject, List<Statement> then, List<Statement> otherwise) implements Statement {}

    record Range(int position, Pipeline subject, List<Statement> body, List<Statement> otherwise)
            implements Statement {}

    record Break(int position) implements Statement {}

    record Continue(int position) implements Statement {}

    /** {@code {{template}}}; without a pipeline the called template gets no data. */
    record Call(int position, String name, @Nullable Pipeline data) implements Statement, QuotableNode {
        @Override
        public void write(StringBuilder to) {
            to.append("{{template ").append(GoQuote.quote(name));
            if (data != null) {
                data.write(to.append(' '));
            }
            to.append("}}");
        }
    }

    /**
     * Commands, each of which gets the previous result as its last argument; the last result is assigned to the variables, if any.
     */
    record Pipeline(int position, List<Variable> variables, boolean assigns, List<Command> commands)
            implements Operand {
        @Override
        public void write(StringBuilder to) {
            for (int i = 0; i < variables.size(); i++) {
                variables.get(i).write(to.append(i == 0 ? "" : ", "));
            }
            to.append(variables.isEmpty() ? "" : assigns ? " = " : " := ");
            for (int i = 0; i < commands.size(); i++) {
                commands.get(i).write(to.append(i == 0 ? "" : " | "));
            }
        }
    }

    record Command(int position, List<Operand> words) implements QuotableNode {
        @Override
        public void write(StringBuilder to) {
            for (int i = 0; i < words.size(); i++) {
                to.append(i == 0 ? "" : " ");
                writeOperand(words.get(i), to);
            }
        }
    }

    /** A function, resolved when the template was parsed. */
    record Identifier(int position, String name, GoFunction function) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(name);
        }
    }

    /** A variable with field accesses. */
    record Variable(int position, String name, List<FieldName> fields) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(name);
            writeFields(fields, to);
        }
    }

    /** Field accesses on dot. */
    record Field(int position, List<FieldName> fields) implements Operand {
        @Override
        public void write(StringBuilder to) {
            writeFields(fields, to);
        }
    }

    /** Field accesses on a function's result or on a pipeline in parentheses. */
    record Chain(int position, Operand head, List<FieldName> fields) implements Operand {
        @Override
        public void write(StringBuilder to) {
            writeOperand(head, to);
            writeFields(fields, to);
        }
    }

    record Dot(int position) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append('.');
        }
    }

    record NilNode(int position) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append("nil");
        }
    }

    record BoolNode(int position, boolean value) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(value);
        }
    }

    record StringNode(int position, String literal, GoString value) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(literal);
        }
    }

    record NumberNode(int position, NumberLiteral number) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(number.text());
        }
    }

    /** A field's name, also as a map key. */
    record FieldName(String name, GoValue key) {
        static FieldName of(String name) {
            return new FieldName(name, GoString.ofBytes(name));
        }
    }

    private static void writeOperand(Operand operand, StringBuilder to) {
        if (operand instanceof Pipeline) {
            operand.write(to.append('('));
            to.append(')');
        } else {
            operand.write(to);
        }
    }

    private static void writeFields(List<FieldName> fields, StringBuilder to) {
        for (FieldName field : fields) {
            to.append('.').append(field.name());
        }
    }
}
