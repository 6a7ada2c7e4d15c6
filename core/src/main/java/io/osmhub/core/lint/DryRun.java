package io.osmhub.core.lint;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.LintMatrix.MatrixCombination;
import io.osmhub.core.lint.Linter.ProfileLintReport.Matrix;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.lint.ProfileSource.SourceLine;
import io.osmhub.core.lint.ProfileSource.Template;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.Renderer.RenderedConfig.FileOrigin;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a profile, renders it over the matrix, and checks the results. A template that fails is left out of what follows. Each
 * rendering, and each check of a rendering, runs in a turn of the linter. No combination is started after its time limit.
 */
final class DryRun {
    /** Templates with mistakes that are found before rendering. */
    private static final int MOST_MISTAKES = 100;

    private static final String GO_DURATION = "&Duration{Duration:";

    private static final Map<Reason, LintRule> RULES = Map.of(
            Reason.TemplateSyntaxError, LintRule.TEMPLATE_SYNTAX,
            Reason.TemplateFunctionRefused, LintRule.FUNCTION_REFUSED,
            Reason.TemplateExecutionFailed, LintRule.TEMPLATE_EXECUTION,
            Reason.TemplateLimitExceeded, LintRule.TEMPLATE_LIMIT,
            Reason.TemplateTimeLimitExceeded, LintRule.TEMPLATE_LIMIT,
            Reason.OperatingSystemUnknown, LintRule.OPERATING_SYSTEM);

    /** A text that is checked once, although several combinations render it. */
    private record CheckedFile(Template file, String text) {}

    private final ProfileSource source;
    private final FindingCollector findings;
    private final Linter linter;
    private final Linter.Extensions extensions;
    private final Renderer renderer;
    private final DocumentChecks documents;
    private final List<MatrixCombination> points;
    private final Map<Set<Template>, CompiledProfile> variants = new HashMap<>();
    private final CompiledProfileCache profiles = new CompiledProfileCache(new TemplateEngines(), 1);
    private final Map<CheckedFile, List<ContentError>> checked = new HashMap<>();
    private final Map<String, String> scriptErrors = new HashMap<>();

    /** Templates left out of every rendering. */
    private final Set<Template> broken = new HashSet<>();

    private final boolean ignition;

    /** The time of the turns so far; waiting for one does not count. */
    private long usedNanos;

    /** @param extensions to compose the profile with those that select it */
    DryRun(
            ProfileSource source,
            MatrixFilter choice,
            FindingCollector findings,
            Linter linter,
            Linter.Extensions extensions) {
        this.source = source;
        this.findings = findings;
        this.linter = linter;
        this.extensions = extensions;
        this.renderer = linter.renderer();
        this.documents = new DocumentChecks(source, findings);
        this.ignition = source.spec().provisioningUtility().equals("ignition")
                && source.spec().osName().equals("flatcar");
        this.points = LintMatrix.combinations(source.spec(), choice, LintMatrix.SITUATIONS);
    }

    ProfileSource source() {
        return source;
    }

    /** Reports the templates that cannot be parsed. */
    void compile() {
        boolean found = true;
        for (int i = 0; i < MOST_MISTAKES && found; i++) {
            found = false;
            for (Problem mistake : without(broken).mistakes()) {
                Template failed = template(mistake, broken);
                if (failed != null) {
                    found = true;
                    report(null, mistake, failed);
                    broken.add(failed);
                }
            }
        }
    }

    Matrix run() {
        int done = 0;
        while (done < points.size() && renderAt(points.get(done))) {
            done++;
        }
        if (done < points.size() && isOver()) {
            LintRuleViolation cut = LintRuleViolation.of("matrix-cut", done, points.size());
            findings.add(cut, source.positionOf("spec"), "spec", null);
        }
        documents.finish();
        return done == 0
                ? Matrix.NONE
                : new Matrix(
                        done,
                        source.spec().osName(),
                        points.stream()
                                .map(MatrixCombination::cloudProvider)
                                .distinct()
                                .toList(),
                        points.stream()
                                .map(MatrixCombination::version)
                                .distinct()
                                .toList());
    }

    private boolean isOver() {
        return usedNanos > linter.mostNanos;
    }

    private <T> T inTurn(Supplier<T> part) {
        List<T> result = new ArrayList<>(1);
        linter.turns.accept(() -> {
            long start = linter.nanoTime.getAsLong();
            try {
                result.add(part.get());
            } finally {
                usedNanos += linter.nanoTime.getAsLong() - start;
            }
        });
        return result.getFirst();
    }

    /** Returns false if no other combination can succeed, or the time is over. */
    private boolean renderAt(MatrixCombination point) {
        Set<Template> empty = new HashSet<>(broken);
        while (!isOver()) {
            try {
                RenderInput input = point.input(
                        source.profile(), without(empty), point.situation().settings(), extensions.candidates());
                RenderedConfig rendering = inTurn(() -> renderer.render(input));
                return inTurn(() -> check(point, input, rendering, empty));
            } catch (TenantMistake e) {
                Problem finding = e.findings().getFirst();
                Template failed = template(finding, empty);
                e.findings().stream()
                        .limit(failed == null ? e.findings().size() : 1)
                        .forEach(other -> report(point, other, failed));
                if (failed == null) {
                    // An extension may fit other combinations.
                    return isExtension(finding);
                }
                empty.add(failed);
                if (finding.reason() != Reason.TemplateExecutionFailed) {
                    // It fails everywhere, or each retry would take as long.
                    broken.add(failed);
                }
            }
        }
        return false;
    }

    private boolean check(MatrixCombination point, RenderInput input, RenderedConfig rendering, Set<Template> empty) {
        for (ConfigName name : ConfigName.values()) {
            List<OperatingSystemConfig.File> files =
                    name.of(rendering.revealed()).files();
            Map<String, Template> templates = new HashMap<>();
            source.files(name).forEach(template -> templates.put(template.field(), template));
            for (int i = 0; i < files.size(); i++) {
                OperatingSystemConfig.File file = files.get(i);
                FileOrigin origin = rendering.origin(input.profile(), name == ConfigName.bootstrapConfig, i);
                SourceDocument extension =
                        extensions.sources().get(origin.object().toString());
                // The hub's own files have no source.
                if (!origin.field().isEmpty()) {
                    Template template = templates.getOrDefault(origin.field(), ofExtension(name, origin.field(), file));
                    check(point, template, extension, file.data());
                }
            }
        }
        rendering.warnings(input.profile()).forEach(warning -> report(point, warning, "extension.base-changed"));
        rendering.skipped().forEach(skipped -> report(point, skipped, "extension.skipped"));
        documents.check(
                point,
                input,
                rendering,
                empty.stream().noneMatch(template -> template.config() == ConfigName.bootstrapConfig));
        return true;
    }

    private static Template ofExtension(ConfigName name, String field, OperatingSystemConfig.File file) {
        Inline content = new Inline("", file.encoding());
        return new Template(name, field, new OperatingSystemProfile.File(file.path(), file.permissions(), content), "");
    }

    private static boolean isExtension(Problem finding) {
        return finding.object().kind().equals(ProfileExtension.KIND);
    }

    /** Reports what an extension does with this profile, by a row of the rules. */
    private void report(MatrixCombination point, Problem finding, String row) {
        add(LintRuleViolation.of(row, finding.cause(), finding.fix()), finding, Evidence.of(point.label()));
    }

    /** Adds a finding about an extension, in its file. */
    private void add(LintRuleViolation violation, Problem finding, @Nullable Evidence evidence) {
        SourceDocument extension =
                Objects.requireNonNull(extensions.sources().get(finding.object().toString()), "composed");
        findings.add(new LintFinding(
                violation,
                extension.source().toString(),
                extension.positionOf(finding),
                finding.field(),
                finding.position(),
                evidence));
    }

    /** The template that a finding is about; null if it is about none that can be left out. */
    private @Nullable Template template(Problem finding, Set<Template> empty) {
        return source.templates().stream()
                .filter(template -> template.isNamed(finding.field()) && !empty.contains(template))
                .findFirst()
                .orElse(null);
    }

    /**
     * @param point null if it was found without rendering
     * @param template null if the finding is about no template
     */
    private void report(@Nullable MatrixCombination point, Problem finding, @Nullable Template template) {
        LintRuleViolation violation = violation(finding);
        Evidence evidence = point == null ? null : Evidence.of(point.label());
        if (isExtension(finding)) {
            add(violation, finding, evidence);
        } else if (template == null) {
            String field = violation.rule() == LintRule.OPERATING_SYSTEM ? "spec.osName" : "spec";
            if (!findings.hasBelow(field, Set.of(LintRule.SCHEMA))) {
                findings.add(violation, source.positionOf(field), field, evidence);
            }
        } else {
            SourcePosition place = finding.position();
            SourcePosition position = source.positionIn(template.textField(), place.line(), place.column());
            findings.add(new LintFinding(violation, position, template.label(), place, evidence));
        }
    }

    /** The rule about templates or rendering that a profile or an extension violates. */
    static LintRuleViolation violation(Problem finding) {
        // A busy machine may be the cause of the limit of time.
        LintSeverity severity =
                finding.reason() == Reason.TemplateTimeLimitExceeded ? LintSeverity.WARNING : LintSeverity.ERROR;
        LintRule rule = RULES.getOrDefault(finding.reason(), LintRule.RENDERING);
        return new LintRuleViolation(rule, severity, finding.cause(), finding.fix());
    }

    /** The profile without these templates, and without reported errors that would prevent all rendering. */
    private CompiledProfile without(Set<Template> empty) {
        return variants.computeIfAbsent(Set.copyOf(empty), key -> profiles.getOrCompile(source.without(key)));
    }

    /** @param extension that writes the file; null for the profile */
    private void check(MatrixCombination point, Template file, @Nullable SourceDocument extension, String text) {
        checked
                .computeIfAbsent(
                        new CheckedFile(file, text),
                        unknown ->
                                ContentChecks.check(this::scriptErrors, ignition, file.path(), text, file.encoding()))
                .stream()
                .filter(error -> error.appliesTo(point.version()))
                .forEach(error -> findings.add(finding(point, file, extension, text, error)));
    }

    /** Scripts that differ only in numbers, mostly versions, have the same syntax, and each check starts a shell. */
    private String scriptErrors(ScriptChecker.Dialect dialect, String script) {
        return scriptErrors.computeIfAbsent(
                script.replaceAll("[0-9]+", "0"), key -> linter.scripts.check(dialect, script));
    }

    /** A finding about a rendered file, at the line of the template that reads as the rendered one if there is one. */
    private LintFinding finding(
            MatrixCombination point,
            Template file,
            @Nullable SourceDocument extension,
            String text,
            ContentError error) {
        List<String> lines = text.lines().toList();
        // An error at the end of the text has the line after the last.
        int shown = Math.min(error.line(), lines.size());
        String rendered = shown == 0 ? "" : lines.get(shown - 1);
        LintRuleViolation plain = new LintRuleViolation(
                error.rule(),
                error.violation().severity(),
                error.message(),
                error.violation().cure());
        Evidence evidence = new Evidence(point.label(), 1, shown, FindingCollector.excerpt(rendered.strip()));
        if (extension != null) {
            SourcePosition line = lineOf(extension, file.field(), rendered.strip());
            Problem place = new Problem(Reason.ExtensionInvalid, extension.source(), file.field(), line, "", "");
            return new LintFinding(
                    plain, extension.source().toString(), extension.positionOf(place), file.label(), line, evidence);
        }
        SourceLine origin = source.lineOf(file, rendered);
        SourcePosition position = error.rule() == LintRule.FILE_ENCODING
                ? source.positionOf(file.field() + ".content.inline.encoding")
                : source.positionIn(file.textField(), 0, 0);
        SourcePosition inContent = SourcePosition.NONE;
        if (origin != null) {
            int offset = shown == error.line() ? Math.max(0, error.column() - 1 - ProfileSource.indent(rendered)) : 0;
            inContent = new SourcePosition(origin.number(), origin.indent() + 1 + offset);
            position = source.positionIn(origin.template().textField(), inContent.line(), inContent.column());
        }
        // OSM's profiles print the ages of images as Go values. Only MachineDeployments with such an annotation get
        // one, and they are reported themselves, so the profile is not wrong for the others.
        boolean rare = error.rule() == LintRule.FILE_CONTENT && rendered.contains(GO_DURATION);
        LintRuleViolation violation = rare ? LintRuleViolation.of("file-content.go-duration", error.message()) : plain;
        return new LintFinding(
                violation,
                position,
                origin == null ? file.label() : origin.template().label(),
                inContent,
                evidence);
    }

    /** The only line of an extension's content that reads as a rendered line; {@link SourcePosition#NONE} otherwise. */
    private static SourcePosition lineOf(SourceDocument extension, String field, String rendered) {
        List<String> lines =
                extension.text(field + ".content").lines().map(String::strip).toList();
        int line = rendered.isEmpty() ? -1 : lines.indexOf(rendered);
        return line >= 0 && line == lines.lastIndexOf(rendered) ? new SourcePosition(line + 1, 1) : SourcePosition.NONE;
    }
}
