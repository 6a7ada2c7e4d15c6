package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node of a parsed template. {@code position} is the byte of the source for error messages. */
sealed interface TemplateNode {
    int position();

    /** An executable part: text, an action or a control structure. */
    sealed interface Statement extends TemplateNode {}

    /** A part of an expression, or a statement that holds one, which error messages quote. */
    sealed interface QuotableNode extends TemplateNode {
        /** The source, rebuilt from the tree with its own spacing. */
        default String toSource() {
            return switch (this) {
                case Action action -> "{{" + action.pipeline.toSource() + "}}";
                case Call call ->
                    "{{template " + GoQuote.quote(call.name) + (call.data == null ? "" : " " + call.data.toSource())
                            + "}}";
                case Pipeline pipeline -> pipeline.source();
                case Command command -> joined(command.words, " ");
                case Identifier function -> function.name;
                case Variable variable -> variable.name;
                case Chain chain -> (chain.head instanceof Dot ? "" : nested(chain.head)) + fieldSource(chain.fields);
                case Dot _ -> ".";
                case Nil _ -> "nil";
                case Literal literal -> literal.source;
            };
        }

        private static String joined(List<? extends Operand> operands, String separator) {
            StringBuilder text = new StringBuilder();
            for (Operand operand : operands) {
                text.append(text.isEmpty() ? "" : separator).append(nested(operand));
            }
            return text.toString();
        }

        private static String nested(Operand operand) {
            return operand instanceof Pipeline ? "(" + operand.toSource() + ")" : operand.toSource();
        }

        private static String fieldSource(List<GoString> fields) {
            StringBuilder text = new StringBuilder();
            fields.forEach(field -> text.append('.').append(field.bytes()));
            return text.toString();
        }
    }

    /** A word of a command: the function, or an argument. */
    sealed interface Operand extends QuotableNode {}

    record Text(int position, String text) implements Statement {}

    record Action(int position, Pipeline pipeline) implements Statement, QuotableNode {}

    /** {@code if}, {@code with} or {@code range}. */
    record Branch(int position, Keyword keyword, Pipeline subject, List<Statement> body, List<Statement> otherwise)
            implements Statement {
        enum Keyword {
            IF,
            WITH,
            RANGE
        }
    }

    /** {@code break}, or else {@code continue}. */
    record LoopExit(int position, boolean isBreak) implements Statement {}

    /** {@code {{template}}}; without a pipeline the called template gets no data. */
    record Call(int position, String name, @Nullable Pipeline data) implements Statement, QuotableNode {}

    /**
     * Commands, each of which gets the previous result as its last argument; the last result is assigned to the variables, if any.
     */
    record Pipeline(int position, List<Variable> variables, boolean assigns, List<Command> commands)
            implements Operand {
        private String source() {
            StringBuilder text = new StringBuilder(QuotableNode.joined(variables, ", "));
            text.append(variables.isEmpty() ? "" : assigns ? " = " : " := ");
            for (int i = 0; i < commands.size(); i++) {
                text.append(i == 0 ? "" : " | ").append(commands.get(i).toSource());
            }
            return text.toString();
        }
    }

    record Command(int position, List<Operand> words) implements QuotableNode {}

    /** A function, resolved when the template was parsed. */
    record Identifier(int position, String name, GoFunction function) implements Operand {}

    record Variable(int position, String name) implements Operand {}

    /** Field accesses on dot, a variable, a function's result, or a pipeline in parentheses. */
    record Chain(int position, Operand head, List<GoString> fields) implements Operand {}

    record Dot(int position) implements Operand {}

    record Nil(int position) implements Operand {}

    /**
     * A constant.
     *
     * @param value without a required type; null for a number that overflows an int
     * @param number null for a bool or a string
     */
    record Literal(
            int position,
            String source,
            @Nullable GoValue value,
            @Nullable NumberLiteral number) implements Operand {
        Literal(int position, String source, GoValue value) {
            this(position, source, value, null);
        }

        Literal(int position, String source, NumberLiteral number) {
            this(position, source, number.idealConstant(), number);
        }
    }

    /** Visits all pipelines outside of other pipelines. */
    static void forEachPipeline(List<Statement> statements, Consumer<Pipeline> visitor) {
        for (Statement statement : statements) {
            switch (statement) {
                case Action action -> visitor.accept(action.pipeline());
                case Branch branch -> {
                    visitor.accept(branch.subject());
                    forEachPipeline(branch.body(), visitor);
                    forEachPipeline(branch.otherwise(), visitor);
                }
                case Call call -> {
                    if (call.data() != null) {
                        visitor.accept(call.data());
                    }
                }
                case Text _, LoopExit _ -> {}
            }
        }
    }
}
