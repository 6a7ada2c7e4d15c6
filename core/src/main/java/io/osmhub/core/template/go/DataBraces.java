package io.osmhub.core.template.go;

import java.util.List;

/**
 * Opening braces that a snippet did not write but passed on, from a proxy's URL or a CA bundle. What a snippet gives is parsed
 * again, and the peer executes what then looks like an action, also in such a value; here a value stays a value.
 *
 * <p>They are marked in the snippet's output by a character that no byte string has. A snippet with a brace in one of its
 * constants is left alone: its author may want the second parse, and a constant cannot be followed through functions.
 */
final class DataBraces {
    private static final char MARK = '\uFFFF';
    private static final String BRACE = "{";
    private static final String MARKED = BRACE + MARK;

    private DataBraces() {}

    static String mark(String printed) {
        return printed.indexOf('{') < 0 ? printed : printed.replace(BRACE, MARKED);
    }

    static boolean isMarked(StringBuilder output) {
        return output.indexOf(MARKED) >= 0;
    }

    /** The output as the peer has it. */
    static String unmarked(String output) {
        return output.indexOf(MARK) < 0 ? output : output.replace(MARKED, BRACE);
    }

    /** The output as source in which each marked brace is a constant. */
    static String quoted(String output) {
        return output.replace(MARKED, "{{\"{\"}}");
    }

    /** Whether an expression of the template has a brace, which only a string or character constant can have. */
    static boolean inConstants(GoTemplate template) {
        return template.trees().stream().anyMatch(tree -> inConstants(tree.body()));
    }

    private static boolean inConstants(List<Node.Statement> body) {
        for (Node.Statement statement : body) {
            boolean found =
                    switch (statement) {
                        case Node.Text _, Node.Break _, Node.Continue _ -> false;
                        case Node.Action action -> hasBrace(action.pipeline());
                        case Node.Call call -> call.data() != null && hasBrace(call.data());
                        case Node.If branch ->
                            hasBrace(branch.condition())
                                    || inConstants(branch.then())
                                    || inConstants(branch.otherwise());
                        case Node.With with ->
                            hasBrace(with.subject()) || inConstants(with.then()) || inConstants(with.otherwise());
                        case Node.Range range ->
                            hasBrace(range.subject()) || inConstants(range.body()) || inConstants(range.otherwise());
                    };
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasBrace(Node.Pipeline pipeline) {
        return pipeline.shown().indexOf('{') >= 0;
    }
}
