package io.osmhub.core.template.go;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.template.TemplateFailure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a snippet gave, as source for the files that call it. Parsed when the first file needs it and then kept, for one
 * rendering on one thread.
 */
final class RenderedSnippet {
    private static final String ACTION = "{{";

    /** What the parser takes for text that is nothing but short actions. */
    private static final long STEPS_PER_CHARACTER = 2;

    private static final long BYTES_PER_CHARACTER = 40;

    private final String name;
    /** A line feed and the text, with {@link DataBraces} marked. */
    private final String marked;

    private final String text;
    private final FunctionTable functions;
    private @Nullable Map<String, Tree> definitions;

    private RenderedSnippet(String name, String text, FunctionTable functions) {
        this.name = name;
        this.marked = text;
        this.text = DataBraces.unmarked(text);
        this.functions = functions;
    }

    /** @param output a line feed and what the snippet gave; may be used for something else afterwards */
    static RenderedSnippet of(String name, StringBuilder output, FunctionTable functions) {
        if (output.indexOf(ACTION) < 0 && !DataBraces.isMarked(output)) {
            // Here already, because the text need not be copied again then.
            output.setLength(withoutBlanks(output));
        }
        return new RenderedSnippet(name, output.toString(), functions);
    }

    /** The templates that this adds to the file's; reading them is charged to the file. */
    Map<String, Tree> definitions(String file, Environment environment) throws TemplateFailure {
        if (definitions != null) {
            return definitions;
        }
        if (isPlain()) {
            definitions = Map.of(name, plainTree());
            return definitions;
        }
        charge(file, environment);
        Map<String, Tree> parsed = parse(file, text);
        if (!marked.equals(text)) {
            // A value that would not parse is refused, as the peer does; one that would is text.
            parsed = parse(file, DataBraces.quoted(marked));
        }
        Tree main = parsed.get(file);
        if (main != null && main.isEmpty()) {
            // Nothing in it is named after the file, so that the next file may have it too.
            parsed.remove(file);
            definitions = parsed;
        }
        return parsed;
    }

    private Map<String, Tree> parse(String file, String body) throws TemplateFailure {
        return Parser.parse(file, "\n{{- define \"" + name + "\" }}" + body + "\n{{- end }}", functions);
    }

    private void charge(String file, Environment environment) throws TemplateFailure {
        try {
            environment.charge(STEPS_PER_CHARACTER * text.length(), BYTES_PER_CHARACTER * text.length());
        } catch (LimitExceeded limit) {
            throw Failures.limit(file, String.valueOf(limit.getMessage()));
        }
    }

    /** Whether what {@link #definitions} gave last is what it gives for any file. */
    boolean isSameForAllFiles() {
        return definitions != null;
    }

    /** Whether neither name nor text can mean anything to the parser; the usual case. */
    private boolean isPlain() {
        return !text.contains(ACTION) && name.chars().allMatch(c -> c >= ' ' && c < 0x7F && c != '"' && c != '\\');
    }

    /** The body that the parser would find: the text without the blanks before the marker at the end. */
    private Tree plainTree() {
        int end = withoutBlanks(text);
        return new Tree(name, "", end == 0 ? List.of() : List.of(new Node.Text(0, text.substring(0, end))));
    }

    private static int withoutBlanks(CharSequence text) {
        int end = text.length();
        while (end > 0 && " \t\r\n".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return end;
    }
}
