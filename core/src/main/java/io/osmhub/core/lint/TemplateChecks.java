package io.osmhub.core.lint;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.FunctionReference.Language;
import io.osmhub.core.template.FunctionUse;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateSources;
import io.osmhub.core.template.reference.FunctionCatalog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks of templates that need no rendering. Each is parsed separately, so that all mistakes are found at once. */
final class TemplateChecks {
    /** Functions of Go templates whose result is random or depends on the time of day. */
    private static final Set<String> NOT_REPEATABLE = FunctionCatalog.nonDeterministicNames(Language.GO);

    /** Functions that read the environment of the process, which is not the tenant's. */
    private static final Set<String> INERT = Set.of("env", "expandenv");

    private final ProfileSourceMap source;
    private final TemplateEngine engine;
    private final FindingCollector findings;
    private final Set<SourceText> broken = new HashSet<>();

    TemplateChecks(ProfileSourceMap source, TemplateEngine engine, FindingCollector findings) {
        this.source = source;
        this.engine = engine;
        this.findings = findings;
    }

    /** Checks all; returns those that cannot be parsed. */
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

    /** The compiled template; null, and reported, if it cannot be parsed. */
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
        } catch (TemplateException failure) {
            broken.add(text);
            findings.add(new LintFinding(
                    LintSeverity.ERROR,
                    failure.stage() == TemplateException.Stage.LIMIT
                            ? LintRule.TEMPLATE_LIMIT
                            : LintRule.TEMPLATE_SYNTAX,
                    source.positionIn(text.field(), failure.line(), failure.column()),
                    text.label(),
                    new SourcePosition(failure.line(), failure.column()),
                    failure.what(),
                    cure(text, failure),
                    null));
            return null;
        }
    }

    private String cure(SourceText text, TemplateException failure) {
        TemplateActionScanner.Word open = failure.what().equals("unexpected EOF")
                        && source.profile().spec().templateEngine() == TemplateLanguage.GO
                ? TemplateActionScanner.findUnclosed(text.text())
                : null;
        return open == null
                ? Objects.requireNonNullElse(failure.suggestion(), "")
                : "close the " + open.text() + " of line " + open.line() + " with {{ end }}";
    }

    private void functions(SourceText text, CompiledTemplates compiled) {
        for (FunctionUse use : compiled.findFunctionUses(NOT_REPEATABLE)) {
            report(
                    LintRule.TEMPLATE_NOT_REPEATABLE,
                    text,
                    use,
                    use.function()
                            + " returns another result in every rendering, so machines of one MachineDeployment differ",
                    "use a fixed value, or generate it on the machine");
        }
        for (FunctionUse use : compiled.findFunctionUses(INERT)) {
            report(
                    LintRule.FUNCTION_INERT,
                    text,
                    use,
                    use.function() + " returns an empty text; templates cannot read the hub's environment",
                    "use a tenant setting");
        }
    }

    private void report(LintRule rule, SourceText text, FunctionUse use, String what, String cure) {
        findings.add(new LintFinding(
                LintSeverity.WARNING,
                rule,
                source.positionIn(text.field(), use.line(), use.column()),
                text.label(),
                new SourcePosition(use.line(), use.column()),
                what,
                cure,
                null));
    }
}
