package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.functions.FunctionRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parsed template with those defined in it. Immutable and thread-safe. Source and output are byte strings. */
public final class GoTemplate {

    private final String name;
    private final Map<String, TemplateTree> trees;
    private final Map<String, TemplateTree> added;

    private GoTemplate(String name, Map<String, TemplateTree> trees, Map<String, TemplateTree> added) {
        this.name = name;
        this.trees = trees;
        this.added = added;
    }

    /** Parses a source; {@code name}, also a byte string, appears in messages and can be called like a defined template. */
    public static GoTemplate parse(String name, String source, FunctionRegistry functions) throws TemplateException {
        return new GoTemplate(name, TemplateParser.parse(name, source, functions), Map.of());
    }

    public String name() {
        return name;
    }

    /** Runs the template. With {@link io.osmhub.core.golang.GoValue.GoNil} as data, Go's nil, dot has no value. */
    public String execute(GoValue data, ExecutionEnvironment environment) throws TemplateException {
        StringBuilder output = new StringBuilder();
        execute(data, environment, output, false);
        return output.toString();
    }

    /** @param marksBraces whether the output marks braces of data, see {@link LiteralBraceMarker} */
    void execute(GoValue data, ExecutionEnvironment environment, StringBuilder output, boolean marksBraces)
            throws TemplateException {
        TemplateTree main = tree(name);
        if (main == null) {
            throw new IllegalStateException("a source has a main template: " + name);
        }
        ExecutionState execution = new ExecutionState(this, main, environment);
        new TemplateExecutor(execution, output, marksBraces).run(main, GoReflection.unwrapInterface(data));
    }

    /** The output if it does not depend on the data, else null. */
    @Nullable String constantOutput() {
        TemplateTree main = tree(name);
        return main != null && main.body().size() == 1 && main.body().getFirst() instanceof TemplateNode.Text text
                ? text.text()
                : null;
    }

    /** This template with additional definitions, which replace those of the same name unless they are blank. */
    GoTemplate withDefinitions(Map<String, TemplateTree> definitions) {
        return new GoTemplate(name, trees, definitions);
    }

    Collection<TemplateTree> trees() {
        return trees.values();
    }

    @Nullable TemplateTree tree(String treeName) {
        TemplateTree other = added.get(treeName);
        if (other != null && !other.isEmpty()) {
            return other;
        }
        return trees.getOrDefault(treeName, other);
    }

    /**
     * One template: the main one of a source, or one defined in it.
     *
     * @param source the text for positions
     */
    record TemplateTree(String name, String source, List<TemplateNode.Statement> body) {
        TemplateTree {
            body = List.copyOf(body);
        }

        /** Whether it is all blanks; such a definition does not replace another. */
        boolean isEmpty() {
            for (TemplateNode.Statement statement : body) {
                if (!(statement instanceof TemplateNode.Text text) || !isBlank(text.text())) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isBlank(String bytes) {
            for (int i = 0; i < bytes.length(); ) {
                int rune = Utf8Runes.runeAt(bytes, i);
                if (rune == Utf8Runes.BROKEN || !isBlank(rune)) {
                    return false;
                }
                i += Utf8Runes.size(rune);
            }
            return true;
        }

        /** Unicode's blanks, which differ from Java's. */
        private static boolean isBlank(int rune) {
            return rune >= '\t' && rune <= '\r' || rune == 0x85 || Character.isSpaceChar(rune);
        }
    }

    /** Writes Go's messages. */
    static final class GoTemplateErrors {
        /** A text that cannot be parsed; {@code position} is the parser's, which Go omits from its message. */
        static TemplateException parse(
                String template, String source, int position, int line, String cause, @Nullable String suggestion) {
            String message = "template: " + template + ":" + line + ": " + cause;
            return new TemplateException(
                    Stage.PARSE,
                    text(message),
                    text(template),
                    line,
                    column(source, position),
                    text(cause),
                    suggestion == null ? null : text(suggestion));
        }

        /** A limit that is reached before a template begins to run. */
        static TemplateException limit(String template, LimitExceededException limit) {
            String cause = String.valueOf(limit.getMessage());
            String message = "template: " + template + ": " + cause;
            return new TemplateException(Stage.of(limit), text(message), text(template), 0, 0, cause, null);
        }

        /**
         * A template that fails while it runs.
         *
         * @param template name of the source, which may differ from the name of the tree
         * @param at the node being evaluated; null before the first action
         */
        static TemplateException execution(
                Stage stage, String template, TemplateTree tree, TemplateNode.@Nullable QuotableNode at, String cause) {
            if (at == null) {
                return new TemplateException(
                        stage, text("template: " + template + ": " + cause), text(template), 0, 0, text(cause), null);
            }
            String source = tree.source();
            int lineStart = source.lastIndexOf('\n', at.position() - 1) + 1;
            int line = line(source, at.position());
            String message = "template: " + template + ":" + line + ":" + (at.position() - lineStart) + ": executing "
                    + GoQuote.quote(tree.name()) + " at <" + at.toSource() + ">: " + cause;
            return new TemplateException(
                    stage, text(message), text(template), line, column(source, at.position()), text(cause), null);
        }

        /** From 1. */
        static int line(String source, int position) {
            int line = 1;
            for (int i = 0; i < position; i++) {
                line += source.charAt(i) == '\n' ? 1 : 0;
            }
            return line;
        }

        /** In characters from 1, as in editors; Go counts bytes from 0. */
        static int column(String source, int position) {
            int lineStart = source.lastIndexOf('\n', position - 1) + 1;
            String before = GoString.text(source.substring(lineStart, position));
            return before.codePointCount(0, before.length()) + 1;
        }

        /** Messages are byte strings; one that a function made from Java text is unchanged. */
        private static String text(String message) {
            return message.chars().allMatch(c -> c <= 0xFF) ? GoString.text(message) : message;
        }
    }
}
