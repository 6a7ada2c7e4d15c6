package io.osmhub.core.template.go;

import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoQuote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a parsed template. {@code position} is the byte of the source that error messages point at; {@code write} gives
 * the text that they quote, which is rebuilt from the tree and so has its own spacing.
 */
sealed interface Node {
    int position();

    /** An executable part: text, an action or a control structure. */
    sealed interface Statement extends Node {}

    /** A part of an expression; statements that hold one can be quoted too. */
    sealed interface Shown extends Node {
        void write(StringBuilder to);

        default String shown() {
            StringBuilder text = new StringBuilder();
            write(text);
            return text.toString();
        }
    }

    /** A word of a command: the function, or an argument. */
    sealed interface Operand extends Shown {}

    record Text(int position, String text) implements Statement {}

    record Action(int position, Pipeline pipeline) implements Statement, Shown {
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
    record Call(int position, String name, @Nullable Pipeline data) implements Statement, Shown {
        @Override
        public void write(StringBuilder to) {
            to.append("{{template ").append(GoQuote.quote(name));
            if (data != null) {
                data.write(to.append(' '));
            }
            to.append("}}");
        }
    }

    /** Commands, of which each gets the one before as its last argument; the result goes into the variables, if any. */
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

    record Command(int position, List<Operand> words) implements Shown {
        @Override
        public void write(StringBuilder to) {
            for (int i = 0; i < words.size(); i++) {
                to.append(i == 0 ? "" : " ");
                writeOperand(words.get(i), to);
            }
        }
    }

    /** A function, found when the template was parsed. */
    record Identifier(int position, String name, Func function) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(name);
        }
    }

    /** A variable and the fields taken of it. */
    record Variable(int position, String name, List<FieldName> fields) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(name);
            writeFields(fields, to);
        }
    }

    /** Fields taken of dot. */
    record Field(int position, List<FieldName> fields) implements Operand {
        @Override
        public void write(StringBuilder to) {
            writeFields(fields, to);
        }
    }

    /** Fields taken of a function's result or of a pipeline in parentheses. */
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

    record NilWord(int position) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append("nil");
        }
    }

    record BoolWord(int position, boolean value) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(value);
        }
    }

    record StringWord(int position, String literal, Str value) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(literal);
        }
    }

    record NumberWord(int position, NumberLiteral number) implements Operand {
        @Override
        public void write(StringBuilder to) {
            to.append(number.text());
        }
    }

    /** A field's name, also as the key that it is in a map. */
    record FieldName(String name, Value key) {
        static FieldName of(String name) {
            return new FieldName(name, Str.ofBytes(name));
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
