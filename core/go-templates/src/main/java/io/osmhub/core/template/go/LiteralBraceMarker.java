package io.osmhub.core.template.go;

import java.util.List;

/**
 * Opening braces that a snippet did not write but passed on, for example from a proxy's URL or a CA bundle. A snippet's output is
 * parsed again, and OSM executes everything in it that looks like an action, even in such a value; here a value stays a value.
 *
 * <p>They are marked in the snippet's output by a character that no byte string has. A snippet with a brace in one of its constants
 * is not marked: its author may rely on the second parse, and a constant cannot be followed through functions.
 */
final class LiteralBraceMarker {
    private static final char MARK = '\uFFFF';
    private static final String BRACE = "{";
    private static final String MARKED = BRACE + MARK;

    private LiteralBraceMarker() {}

    static String mark(String printed) {
        return printed.indexOf('{') < 0 ? printed : printed.replace(BRACE, MARKED);
    }

    static boolean isMarked(StringBuilder output) {
        return output.indexOf(MARKED) >= 0;
    }

    /** The output as in OSM. */
    static String removeMarks(String output) {
        return output.indexOf(MARK) < 0 ? output : output.replace(MARKED, BRACE);
    }

    /** The output as source in which each marked brace is a constant. */
    static String quoteMarked(String output) {
        return output.replace(MARKED, "{{\"{\"}}");
    }

    /** Whether an expression of the template has a brace, which only a string or character constant can have. */
    static boolean hasConstantBraces(GoTemplate template) {
        return template.trees().stream().anyMatch(tree -> hasConstantBraces(tree.body()));
    }

    private static boolean hasConstantBraces(List<TemplateNode.Statement> body) {
        for (TemplateNode.Statement statement : body) {
            boolean found =
                    switch (statement) {
                        case TemplateNode.Text _, TemplateNode.Break _, TemplateNode.Continue _ -> false;
                        case TemplateNode.Action action -> hasBrace(action.pipeline());
                        case TemplateNode.Call call -> call.data() != null && hasBrace(call.data());
                        case TemplateNode.If branch ->
                            hasBrace(branch.condition())
                                    || hasConstantBraces(branch.then())
                                    || hasConstantBraces(branch.otherwise());
                        case TemplateNode.With with ->
                            hasBrace(with.subject())
                                    || hasConstantBraces(with.then())
                                    || hasConstantBraces(with.otherwise());
                        case TemplateNode.Range range ->
                            hasBrace(range.subject())
                                    || hasConstantBraces(range.body())
                                    || hasConstantBraces(range.otherwise());
                    };
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasBrace(TemplateNode.Pipeline pipeline) {
        return pipeline.toSource().indexOf('{') >= 0;
    }
}
