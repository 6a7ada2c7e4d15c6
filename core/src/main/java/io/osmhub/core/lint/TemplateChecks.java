package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import io.osmhub.core.lint.ProfileSource.SourceText;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.FunctionReference.Language;
import io.osmhub.core.template.FunctionUse;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateSources;
import io.osmhub.core.template.reference.FunctionCatalog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be said of templates without rendering them. Each is parsed alone, so that all mistakes are found at once. */
final class TemplateChecks {
    /** Functions of Go templates whose result is random or depends on the time of day. */
    private static final Set<String> NOT_REPEATABLE = FunctionCatalog.changing(Language.GO);

    /** Functions that look into the environment of the process, which is not the tenant's. */
    private static final Set<String> INERT = Set.of("env", "expandenv");

    private final ProfileSource source;
    private final TemplateEngine engine;
    private final Findings findings;
    private final Set<SourceText> broken = new HashSet<>();

    TemplateChecks(ProfileSource source, TemplateEngine engine, Findings findings) {
        this.source = source;
        this.engine = engine;
        this.findings = findings;
    }

    /** Checks all; gives those that do not parse. */
    Set<SourceText> run() {
        TemplateLanguage language = source.profile().spec().templateEngine();
        for (SourceText text : source.texts()) {
            CompiledTemplates compiled = compile(text);
            if (compiled != null && language == TemplateLanguage.GO) {
                functions(text, compiled);
            }
        }
        return broken;
    }

    /** The template alone; null, and reported, when it does not parse. */
    private @Nullable CompiledTemplates compile(SourceText text) {
        Map<String, String> snippets = new HashMap<>();
        for (SourceText other : source.texts()) {
            if (other.snippet() && other.config() == text.config()) {
                snippets.put(other.name(), other.equals(text) ? text.text() : "");
            }
        }
        try {
            return engine.compile(new TemplateSources(
                    snippets,
                    text.snippet() ? List.of() : List.of(new TemplateSources.File(text.name(), text.text()))));
        } catch (TemplateFailure failure) {
            broken.add(text);
            findings.add(new LintFinding(
                    Severity.ERROR,
                    failure.stage() == TemplateFailure.Stage.LIMIT ? Rule.TEMPLATE_LIMIT : Rule.TEMPLATE_SYNTAX,
                    source.positionIn(text.field(), failure.line(), failure.column()),
                    text.label(),
                    new Position(failure.line(), failure.column()),
                    failure.what(),
                    cure(text, failure),
                    null));
            return null;
        }
    }

    private String cure(SourceText text, TemplateFailure failure) {
        TemplateActions.Word open = failure.what().equals("unexpected EOF")
                        && source.profile().spec().templateEngine() == TemplateLanguage.GO
                ? TemplateActions.unclosed(text.text())
                : null;
        return open == null
                ? Objects.requireNonNullElse(failure.suggestion(), "")
                : "close the " + open.text() + " of line " + open.line() + " with {{ end }}";
    }

    private void functions(SourceText text, CompiledTemplates compiled) {
        for (FunctionUse use : compiled.uses(NOT_REPEATABLE)) {
            report(
                    Rule.TEMPLATE_NOT_REPEATABLE,
                    text,
                    use,
                    use.function()
                            + " gives another result on every rendering, so machines of one MachineDeployment differ",
                    "write a fixed value, or make it on the machine");
        }
        for (FunctionUse use : compiled.uses(INERT)) {
            report(
                    Rule.FUNCTION_INERT,
                    text,
                    use,
                    use.function() + " gives an empty text here, templates see nothing of the process",
                    "use a setting of the tenant");
        }
    }

    private void report(Rule rule, SourceText text, FunctionUse use, String what, String cure) {
        findings.add(new LintFinding(
                Severity.WARNING,
                rule,
                source.positionIn(text.field(), use.line(), use.column()),
                text.label(),
                new Position(use.line(), use.column()),
                what,
                cure,
                null));
    }
}
