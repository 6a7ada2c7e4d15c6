package io.osmhub.core.template.go;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.template.TemplateFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The snippets of one rendering on one thread. */
final class RenderedSnippets {
    private final List<RenderedSnippet> snippets;
    /** What every file is given; null while, or because, that depends on the file. */
    private @Nullable Map<String, Tree> shared;

    RenderedSnippets(List<RenderedSnippet> snippets) {
        this.snippets = snippets;
    }

    /** The templates that are added to a file's own, a later snippet's before an earlier one's. */
    Map<String, Tree> definitions(String file, Environment environment) throws TemplateFailure {
        if (shared != null) {
            return shared;
        }
        Map<String, Tree> definitions = new LinkedHashMap<>();
        boolean same = true;
        for (RenderedSnippet snippet : snippets) {
            definitions.putAll(snippet.definitions(file, environment));
            same &= snippet.isSameForAllFiles();
        }
        if (same) {
            shared = definitions;
        }
        return definitions;
    }
}
