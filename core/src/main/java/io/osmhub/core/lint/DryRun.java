package io.osmhub.core.lint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.FindingCollector.Excerpt;
import io.osmhub.core.lint.LineOriginTracker.SourceLine;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport.Matrix;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.lint.MatrixFilter.LintScenario;
import io.osmhub.core.lint.MatrixFilter.MatrixCombination;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceFile;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.OperatingSystemProfile.Spec;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderedConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Renders a profile over providers, Kubernetes versions and scenarios, and checks the results. */
final class DryRun {
    /**
     * Dependencies of rendering and checking. No combination is started after {@code mostNanos}. Each rendering, and each check of a
     * rendering, runs in a turn of {@code turns}.
     */
    record Dependencies(
            Renderer renderer,
            ContentChecks contents,
            DocumentChecks documents,
            LongSupplier nanoTime,
            long mostNanos,
            Consumer<Runnable> turns) {}

    /** The engine's message for an unknown field of the context. */
    private static final Pattern NO_FIELD =
            Pattern.compile("^can't evaluate field (\\w+) in type \\*resources.filesData$");

    private static final Map<String, LintRule> RULES = Map.of(
            "TemplateSyntaxError", LintRule.TEMPLATE_SYNTAX,
            "TemplateFunctionRefused", LintRule.FUNCTION_REFUSED,
            "TemplateExecutionFailed", LintRule.TEMPLATE_EXECUTION,
            "TemplateLimitExceeded", LintRule.TEMPLATE_LIMIT,
            "OperatingSystemUnknown", LintRule.OPERATING_SYSTEM);

    private final ProfileSourceMap source;
    private final FindingCollector findings;
    private final ProfileVariants variants;
    private final Dependencies tools;

    private final MatrixFilter choice;

    /** Templates left out of every rendering. */
    private final Set<SourceText> broken;

    /** The time of the turns so far; waiting for one does not count. */
    private long usedNanos;

    DryRun(
            ProfileSourceMap source,
            MatrixFilter choice,
            FindingCollector findings,
            ProfileVariants variants,
            Set<SourceText> broken,
            Dependencies tools) {
        this.source = source;
        this.choice = choice;
        this.findings = findings;
        this.variants = variants;
        this.broken = new HashSet<>(broken);
        this.tools = tools;
    }

    ProfileSourceMap source() {
        return source;
    }

    Matrix run() {
        List<MatrixCombination> points = points();
        int done = 0;
        for (MatrixCombination point : points) {
            boolean goesOn = !isOver() && renderAt(point);
            if (isOver() && !goesOn) {
                findings.info(
                        LintRule.MATRIX_CUT,
                        source.positionOf("spec"),
                        "spec",
                        "only " + done + " of " + points.size() + " combinations were rendered within the time limit",
                        "remove slow parts");
            }
            if (!goesOn) {
                break;
            }
            done++;
        }
        tools.documents().finish();
        return done == 0
                ? Matrix.NONE
                : new Matrix(
                        done,
                        source.profile().spec().osName(),
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
        return usedNanos > tools.mostNanos();
    }

    private <T> T inTurn(Supplier<T> part) {
        List<T> result = new ArrayList<>(1);
        tools.turns().accept(() -> {
            long start = tools.nanoTime().getAsLong();
            try {
                result.add(part.get());
            } finally {
                usedNanos += tools.nanoTime().getAsLong() - start;
            }
        });
        return result.getFirst();
    }

    private RenderedConfig render(MatrixCombination point, Set<SourceText> empty) {
        return inTurn(() -> tools.renderer().render(point.input(source.profile(), variants.without(empty))));
    }

    private List<MatrixCombination> points() {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        List<MatrixCombination> points = new ArrayList<>();
        for (LintScenario situation : LintScenario.values()) {
            for (String version : KubernetesVersions.matching(spec.supportedKubernetesVersions())) {
                for (String provider :
                        spec.supportedCloudProviders().stream().distinct().toList()) {
                    if (!spec.osName().isEmpty() && choice.matches(spec.osName(), provider, version)) {
                        points.add(new MatrixCombination(provider, version, situation));
                    }
                }
            }
        }
        return points;
    }

    /** Returns false if no other combination can succeed, or the time is over. */
    private boolean renderAt(MatrixCombination point) {
        Set<SourceText> empty = new HashSet<>(broken);
        while (!isOver()) {
            try {
                RenderedConfig rendering = render(point, empty);
                check(point, rendering, empty);
                return true;
            } catch (TenantMistake e) {
                ProblemFinding finding = e.findings().getFirst();
                SourceText failed = template(finding, empty);
                if (failed == null) {
                    e.findings().forEach(other -> report(point, other));
                    return false;
                }
                report(point, finding, failed);
                empty.add(failed);
                if (finding.reason().equals("TemplateLimitExceeded")) {
                    // Each retry would take as long.
                    broken.add(failed);
                }
            }
        }
        return false;
    }

    /** The template that a finding is about; null if it is about none that can be left out. */
    private @Nullable SourceText template(ProblemFinding finding, Set<SourceText> empty) {
        if (!finding.reason().startsWith("Template")) {
            return null;
        }
        ConfigName config = finding.field().startsWith(ConfigName.bootstrapConfig.field())
                ? ConfigName.bootstrapConfig
                : ConfigName.provisioningConfig;
        String name = name(finding.field());
        for (SourceText text : source.texts()) {
            if (text.config() == config && text.name().equals(name) && !empty.contains(text)) {
                return text;
            }
        }
        return null;
    }

    /** The file's path in {@code ...files[3] (/etc/a)}, the snippet's name in {@code ...templates[a]}. */
    private static String name(String field) {
        int path = field.indexOf("] (");
        if (path >= 0) {
            return field.substring(path + 3, field.length() - 1);
        }
        int snippet = field.indexOf(".templates[");
        return snippet < 0 ? "" : field.substring(snippet + ".templates[".length(), field.length() - 1);
    }

    private void report(MatrixCombination point, ProblemFinding finding, SourceText text) {
        findings.add(new LintFinding(
                LintSeverity.ERROR,
                RULES.getOrDefault(finding.reason(), LintRule.RENDERING),
                source.positionIn(text.field(), finding.line(), finding.column()),
                text.label(),
                new SourcePosition(finding.line(), finding.column()),
                finding.what(),
                cure(finding),
                Evidence.of(point.label())));
    }

    private String cure(ProblemFinding finding) {
        Matcher field = NO_FIELD.matcher(finding.what());
        return finding.cure().isEmpty() && field.find()
                ? FindingsCollector.suggestClosest(
                        field.group(1),
                        CompiledProfile.fieldNames(source.profile().spec().templateEngine()))
                : finding.cure();
    }

    private void report(MatrixCombination point, ProblemFinding finding) {
        LintRule rule = RULES.getOrDefault(finding.reason(), LintRule.RENDERING);
        String field = rule == LintRule.OPERATING_SYSTEM ? "spec.osName" : "spec";
        if (findings.hasBelow(field, Set.of(LintRule.SCHEMA))) {
            return;
        }
        findings.add(new LintFinding(
                LintSeverity.ERROR,
                rule,
                source.positionOf(field),
                field,
                SourcePosition.NONE,
                finding.what(),
                finding.cure(),
                Evidence.of(point.label())));
    }

    private void check(MatrixCombination point, RenderedConfig rendering, Set<SourceText> empty) {
        MarkedRendering marked = new MarkedRendering(point, empty);
        inTurn(() -> {
            checkFiles(point, rendering, marked);
            boolean complete = empty.stream().noneMatch(text -> text.config() == ConfigName.bootstrapConfig);
            tools.documents().check(point, rendering, complete);
            return true;
        });
    }

    private void checkFiles(MatrixCombination point, RenderedConfig rendering, MarkedRendering marked) {
        for (ConfigName name : ConfigName.values()) {
            List<OperatingSystemConfig.File> files = files(rendering, name);
            List<SourceFile> sources = source.files(name);
            for (int i = 0; i < sources.size(); i++) {
                String text = files.get(i).data();
                int index = i;
                RenderedFile file =
                        new RenderedFile(source, sources.get(i), text, point, () -> marked.lines(name, index, text));
                tools.contents().check(file);
            }
        }
    }

    private static List<OperatingSystemConfig.File> files(RenderedConfig rendering, ConfigName name) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        return switch (name) {
            case bootstrapConfig -> spec.bootstrapConfig().files();
            case provisioningConfig -> spec.provisioningConfig().files();
        };
    }

    /** The same rendering with marks, made when a line's origin is needed. */
    private final class MarkedRendering {
        private final MatrixCombination point;
        private final Set<SourceText> empty;
        private final Map<ConfigName, List<OperatingSystemConfig.File>> files = new HashMap<>();

        MarkedRendering(MatrixCombination point, Set<SourceText> empty) {
            this.point = point;
            this.empty = empty;
        }

        /** Null if the marks changed the output. */
        @Nullable List<@Nullable SourceLine> lines(ConfigName name, int file, String text) {
            if (files.isEmpty()) {
                render();
            }
            List<OperatingSystemConfig.File> marked = files.getOrDefault(name, List.of());
            if (file >= marked.size()) {
                return null;
            }
            LineOriginTracker.Rendered rendered =
                    variants.marks().readMarks(marked.get(file).data());
            return rendered.plain().equals(text) ? rendered.lines() : null;
        }

        private void render() {
            for (ConfigName name : ConfigName.values()) {
                files.put(name, List.of());
            }
            try {
                RenderedConfig rendering =
                        tools.renderer().render(point.input(source.profile(), variants.markedWithout(empty)));
                for (ConfigName name : ConfigName.values()) {
                    files.put(name, DryRun.files(rendering, name));
                }
            } catch (TenantMistake e) {
                // Marks break this template: findings then name its file instead of a line.
                files.replaceAll((name, none) -> List.of());
            }
        }
    }

    /**
     * A file as rendered by one combination.
     *
     * @param origins the origin of each line; null if unknown. Computed only for findings
     */
    record RenderedFile(
            ProfileSourceMap source,
            SourceFile file,
            String text,
            MatrixCombination point,
            Supplier<@Nullable List<@Nullable SourceLine>> origins) {
        /** Creates a finding about a line of this text, at the line's origin in the profile. */
        LintFinding createFinding(
                LintSeverity severity, LintRule rule, int line, int column, String what, String cure) {
            List<String> lines = text.lines().toList();
            // An error at the end of the text has the line after the last.
            int shown = Math.max(0, Math.min(line, lines.size()));
            String rendered = shown == 0 ? "" : lines.get(shown - 1);
            SourceLine origin = shown == 0 ? null : origin(shown);
            LintFinding.Evidence evidence =
                    new LintFinding.Evidence(point.label(), 1, shown, Excerpt.of(rendered.strip()));
            if (origin == null) {
                return new LintFinding(
                        severity,
                        rule,
                        source.positionIn(file.textField(), 0, 0),
                        file.label(),
                        SourcePosition.NONE,
                        what,
                        cure,
                        evidence);
            }
            SourceText template = origin.text();
            int start = column(template.line(origin.number()), rendered, shown == line ? column : 0);
            SourcePosition position = source.positionIn(template.field(), origin.number(), start);
            SourcePosition inContent = new SourcePosition(origin.number(), start);
            return new LintFinding(severity, rule, position, template.label(), inContent, what, cure, evidence);
        }

        /** Creates a finding about a field of the file, for example {@code content.inline.encoding}. */
        LintFinding createFinding(LintSeverity severity, LintRule rule, String field, String what, String cure) {
            return new LintFinding(
                    severity,
                    rule,
                    source.positionOf(file.field() + "." + field),
                    file.label(),
                    SourcePosition.NONE,
                    what,
                    cure,
                    LintFinding.Evidence.of(point.label()));
        }

        private @Nullable SourceLine origin(int line) {
            List<@Nullable SourceLine> all = origins.get();
            return all == null || line > all.size() ? null : all.get(line - 1);
        }

        /** The column in the template's line: exact while both lines are equal, else the start of the line. */
        private static int column(String template, String rendered, int column) {
            int templateIndent = template.length() - template.stripLeading().length();
            int indent = rendered.length() - rendered.stripLeading().length();
            int offset = column - 1 - indent;
            boolean same = offset >= 0
                    && template.regionMatches(
                            templateIndent, rendered, indent, Math.min(offset, rendered.length() - indent));
            return templateIndent + 1 + (same ? offset : 0);
        }
    }

    /**
     * Variants of the profile: with some templates emptied, so that a failing one does not hide errors in others, and with marked
     * lines. Reported errors that would prevent all rendering are corrected.
     */
    static final class ProfileVariants {
        private final ProfileSourceMap source;
        private final CompiledProfileCache profiles;
        private final Map<String, SourceText> byField = new HashMap<>();
        private final Map<Set<SourceText>, CompiledProfile> plain = new HashMap<>();
        private final Map<Set<SourceText>, CompiledProfile> marked = new HashMap<>();
        private final LineOriginTracker marks = new LineOriginTracker();
        private final Map<SourceText, String> markedTexts = new HashMap<>();

        ProfileVariants(ProfileSourceMap source, CompiledProfileCache profiles) {
            this.source = source;
            this.profiles = profiles;
            source.texts().forEach(text -> byField.put(text.field(), text));
        }

        LineOriginTracker marks() {
            return marks;
        }

        /** The profile without these templates. */
        CompiledProfile without(Set<SourceText> empty) {
            return plain.computeIfAbsent(
                    Set.copyOf(empty),
                    key -> profiles.getOrCompile(spec(text -> key.contains(text) ? null : text.text())));
        }

        /** The profile without these templates and with marks in all lines of the others. */
        CompiledProfile markedWithout(Set<SourceText> empty) {
            return marked.computeIfAbsent(
                    Set.copyOf(empty),
                    key -> profiles.getOrCompile(spec(text -> key.contains(text) ? null : marked(text))));
        }

        private String marked(SourceText text) {
            return markedTexts.computeIfAbsent(
                    text, key -> marks.mark(key, source.profile().spec().templateEngine()));
        }

        /** Provides a template's text; null empties it. */
        private interface Texts {
            @Nullable String of(SourceText text);
        }

        private Spec spec(Texts texts) {
            Spec spec = source.profile().spec();
            String utility = spec.provisioningUtility();
            return new Spec(
                    spec.osName(),
                    spec.osVersion(),
                    spec.version(),
                    spec.supportedCloudProviders(),
                    utility.equals("ignition") && !spec.osName().equals("flatcar") ? "cloud-init" : utility,
                    spec.templateEngine(),
                    null,
                    spec.supportedNodeFetch(),
                    config(ConfigName.bootstrapConfig, texts),
                    config(ConfigName.provisioningConfig, texts));
        }

        private Config config(ConfigName name, Texts texts) {
            Config config = source.config(name);
            List<ContainerRuntime> runtimes = new ArrayList<>();
            for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
                ContainerRuntime runtime = config.supportedContainerRuntimes().get(i);
                String field = name.field() + ".supportedContainerRuntimes[" + i + "]";
                runtimes.add(new ContainerRuntime(
                        runtime.name(),
                        files(field, runtime.files(), texts),
                        snippets(field, runtime.templates(), texts)));
            }
            return new Config(
                    runtimes,
                    snippets(name.field(), config.templates(), texts),
                    config.units(),
                    files(name.field(), config.files(), texts),
                    config.modules());
        }

        private List<File> files(String owner, List<File> files, Texts texts) {
            List<File> changed = new ArrayList<>(files.size());
            for (int i = 0; i < files.size(); i++) {
                File file = files.get(i);
                Inline inline = file.inline() == null ? new Inline("", "") : file.inline();
                String text = text(owner + ".files[" + i + "].content.inline.data", inline.data(), texts);
                changed.add(new File(file.path(), file.permissions(), new Inline(text, inline.encoding())));
            }
            return changed;
        }

        private Map<String, String> snippets(String owner, Map<String, String> snippets, Texts texts) {
            Map<String, String> changed = new TreeMap<>();
            snippets.forEach((name, text) -> changed.put(name, text(owner + ".templates[" + name + "]", text, texts)));
            return changed;
        }

        private String text(String field, String otherwise, Texts texts) {
            SourceText source = byField.get(field);
            if (source == null) {
                return otherwise;
            }
            String text = texts.of(source);
            return text == null ? "" : text;
        }
    }
}
