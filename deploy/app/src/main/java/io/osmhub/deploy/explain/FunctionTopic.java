package io.osmhub.deploy.explain;

import io.osmhub.core.template.FunctionReference;
import io.osmhub.core.template.reference.FunctionCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Every function that templates may call. */
final class FunctionTopic implements Topic {
    @Override
    public String word() {
        return "function";
    }

    @Override
    public String summary() {
        return "what templates may call, in Go templates and in Handlebars, with an example each";
    }

    @Override
    public List<String> overview() {
        Lines lines = new Lines();
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
        for (FunctionReference function : FunctionCatalog.named(name)) {
            lines.addAll(lines.isEmpty() ? List.of() : List.of(""));
            lines.addAll(one(function));
        }
        return lines;
    }

    private static List<String> one(FunctionReference function) {
        String title = function.name() + " (" + function.language().title() + ", "
                + function.family().toLowerCase(Locale.ROOT) + ")";
        return new Lines()
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
                                : "may give something else at each rendering, so that a profile using it never comes to rest")
                .field(
                        "limit",
                        function.closed() ? "templates reach neither host nor network, so it gives less here" : "")
                .all();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        return FunctionCatalog.closest(unknown);
    }
}
