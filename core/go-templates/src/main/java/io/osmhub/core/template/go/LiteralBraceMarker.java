package io.osmhub.core.template.go;

import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import java.util.concurrent.atomic.AtomicBoolean;

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
        AtomicBoolean found = new AtomicBoolean();
        for (TemplateTree tree : template.trees()) {
            TemplateNode.forEachPipeline(tree.body(), pipeline -> {
                if (pipeline.toSource().indexOf('{') >= 0) {
                    found.set(true);
                }
            });
        }
        return found.get();
    }
}
