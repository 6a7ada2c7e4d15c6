package io.osmhub.core.lint;

import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.lint.ProfileSource.SourceFile;
import io.osmhub.core.lint.ProfileSource.SourceSnippet;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateSources;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Parses every template for itself, so that all that do not parse are found at once. */
final class TemplateChecks {
    private final TemplateEngine engine;

    TemplateChecks(TemplateEngine engine) {
        this.engine = engine;
    }

    void run(ProfileSource source, Findings findings) {
        for (ConfigName config : ConfigName.values()) {
            for (SourceSnippet snippet : source.snippets(config)) {
                parse(source, snippet.name(), snippet.text(), snippet.field(), snippet.field(), findings);
            }
            for (SourceFile file : source.files(config)) {
                if (file.file().inline() != null) {
                    parse(
                            source,
                            file.file().path(),
                            file.file().inline().data(),
                            file.field() + ".content.inline.data",
                            file.label(),
                            findings);
                }
            }
        }
    }

    private void parse(ProfileSource source, String name, String text, String field, String label, Findings findings) {
        try {
            engine.compile(new TemplateSources(Map.of(), List.of(new TemplateSources.File(name, text))));
        } catch (TemplateFailure failure) {
            findings.error(
                    "template-syntax",
                    source.inText(field, failure.line(), failure.column()),
                    label,
                    place(failure) + failure.what(),
                    Objects.requireNonNullElse(failure.suggestion(), ""));
        }
    }

    static String place(TemplateFailure failure) {
        if (failure.line() < 1) {
            return "";
        }
        return "line " + failure.line() + (failure.column() > 0 ? ":" + failure.column() : "") + ": ";
    }
}
