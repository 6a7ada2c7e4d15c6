package io.osmhub.deploy.explain;

import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The template functions. */
final class FunctionTopic implements ExplainTopic {
    @Override
    public String name() {
        return "function";
    }

    @Override
    public String summary() {
        return "the functions of Go templates and Handlebars, with examples";
    }

    @Override
    public List<String> listEntries() {
        TextLayout lines = new TextLayout();
        for (FunctionReference.Language language : FunctionReference.Language.values()) {
            lines.title(language.title()).blank();
            lines.table(FunctionCatalog.of(language).stream()
                    .map(function -> Map.entry("  " + function.signature(), function.description()))
                    .toList());
            lines.blank();
        }
        return lines.all();
    }

    @Override
    public List<String> explain(String name) {
        List<String> lines = new ArrayList<>();
        for (FunctionReference function : FunctionCatalog.findByName(name)) {
            lines.addAll(lines.isEmpty() ? List.of() : List.of(""));
            lines.addAll(one(function));
        }
        return lines;
    }

    private static List<String> one(FunctionReference function) {
        String title = function.name() + " (" + function.language().title() + ", "
                + function.family().toLowerCase(Locale.ROOT) + ")";
        return new TextLayout()
                .title(title)
                .blank()
                .paragraph(function.description())
                .blank()
                .field("call", function.signature())
                .verbatim("example", function.example())
                .verbatim("gives", function.result())
                .field("from", function.origin().title())
                .field(
                        "note",
                        function.deterministic()
                                ? ""
                                : "may return a different value on each rendering, so profiles that use it are rotated continually")
                .field("limit", function.closed() ? "restricted: templates cannot access host or network" : "")
                .all();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        return FunctionCatalog.suggestClosest(unknown);
    }
}
