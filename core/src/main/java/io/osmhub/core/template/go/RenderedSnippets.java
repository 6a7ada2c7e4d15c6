package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.template.TemplateException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The snippets of one rendering on one thread. */
final class RenderedSnippets {
    private final List<RenderedSnippet> snippets;
    /** The definitions for every file; null if not known yet, or if they depend on the file. */
    private @Nullable Map<String, TemplateTree> shared;

    RenderedSnippets(List<RenderedSnippet> snippets) {
        this.snippets = snippets;
    }

    /** The templates added to a file's own, a later snippet's before an earlier one's. */
    Map<String, TemplateTree> definitions(String file, ExecutionEnvironment environment) throws TemplateException {
        if (shared != null) {
            return shared;
        }
        Map<String, TemplateTree> definitions = new LinkedHashMap<>();
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
