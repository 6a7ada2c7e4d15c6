package io.osmhub.core.lint;

import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Position;
import io.osmhub.core.lint.LineMarks.SourceLine;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintReport.Matrix;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.lint.ProfileSource.SourceFile;
import io.osmhub.core.lint.ProfileSource.SourceText;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.TemplateContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Renders a profile over providers, Kubernetes versions and situations, and has the results checked. */
final class DryRun {
    /**
     * What rendering and checking needs beside the profile. {@code again} renders at another time with other random values; no
     * combination is begun after {@code mostNanos}.
     */
    record Tools(
            Renderer first,
            Renderer again,
            ContentChecks contents,
            DocumentChecks documents,
            LongSupplier nanoTime,
            long mostNanos) {}

    /** The engine's message for a field that the context does not have. */
    private static final Pattern NO_FIELD =
            Pattern.compile("^can't evaluate field (\\w+) in type \\*resources.filesData$");

    private static final Map<String, Rule> RULES = Map.of(
            "TemplateSyntaxError", Rule.TEMPLATE_SYNTAX,
            "TemplateExecutionFailed", Rule.TEMPLATE_EXECUTION,
            "TemplateLimitExceeded", Rule.TEMPLATE_LIMIT,
            "OperatingSystemUnknown", Rule.OPERATING_SYSTEM);

    private final ProfileSource source;
    private final Findings findings;
    private final Variants variants;
    private final Tools tools;

    private final MatrixChoice choice;

    /** Templates that are left out of every rendering. */
    private final Set<SourceText> broken;

    private final boolean saidToDiffer;

    DryRun(
            ProfileSource source,
            MatrixChoice choice,
            Findings findings,
            Variants variants,
            Set<SourceText> broken,
            Tools tools) {
        this.source = source;
        this.choice = choice;
        this.findings = findings;
        this.variants = variants;
        this.broken = new HashSet<>(broken);
        this.tools = tools;
        this.saidToDiffer = findings.has(Rule.TEMPLATE_NOT_REPEATABLE);
    }

    Matrix run() {
        List<MatrixPoint> points = points();
        String newest = points.isEmpty() ? "" : points.getLast().version();
        long start = tools.nanoTime().getAsLong();
        int done = 0;
        for (MatrixPoint point : points) {
            if (tools.nanoTime().getAsLong() - start > tools.mostNanos()) {
                findings.info(
                        Rule.MATRIX_CUT,
                        source.at("spec"),
                        "spec",
                        "only " + done + " of " + points.size() + " combinations were rendered, as that took long",
                        "mend what is slow, for example keys and certificates made by templates");
                break;
            }
            if (!renderAt(point, newest)) {
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
                                .map(MatrixPoint::cloudProvider)
                                .distinct()
                                .toList(),
                        points.stream().map(MatrixPoint::version).distinct().toList());
    }

    private List<MatrixPoint> points() {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        List<MatrixPoint> points = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            for (String version : KubernetesVersions.meeting(spec.supportedKubernetesVersions())) {
                for (String provider :
                        spec.supportedCloudProviders().stream().distinct().toList()) {
                    if (choice.takes(spec.osName(), provider, version)) {
                        points.add(new MatrixPoint(provider, version, situation));
                    }
                }
            }
        }
        return points;
    }

    /** False when no other combination can do better. */
    private boolean renderAt(MatrixPoint point, String newest) {
        Set<SourceText> empty = new HashSet<>(broken);
        while (true) {
            try {
                Rendering rendering = tools.first().render(point.input(source.profile(), variants.without(empty)));
                check(point, rendering, empty, newest);
                return true;
            } catch (TenantMistake e) {
                Finding finding = e.findings().getFirst();
                SourceText failed = template(finding, empty);
                if (failed == null) {
                    e.findings().forEach(other -> report(point, other));
                    return false;
                }
                report(point, finding, failed);
                empty.add(failed);
                if (finding.reason().equals("TemplateLimitExceeded")) {
                    // Each further try would take as long.
                    broken.add(failed);
                }
            }
        }
    }

    /** The template that a finding is about; null when it is about none that can be left out. */
    private @Nullable SourceText template(Finding finding, Set<SourceText> empty) {
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

    private void report(MatrixPoint point, Finding finding, SourceText text) {
        findings.add(new LintFinding(
                Severity.ERROR,
                RULES.getOrDefault(finding.reason(), Rule.RENDERING),
                source.positionIn(text.field(), finding.line(), finding.column()),
                text.label(),
                new Position(finding.line(), finding.column()),
                finding.what(),
                cure(finding),
                Evidence.of(point.label())));
    }

    private String cure(Finding finding) {
        Matcher field = NO_FIELD.matcher(finding.what());
        return finding.cure().isEmpty() && field.find()
                ? Mistakes.didYouMean(
                        field.group(1),
                        TemplateContext.fields(source.profile().spec().templateEngine()))
                : finding.cure();
    }

    private void report(MatrixPoint point, Finding finding) {
        Rule rule = RULES.getOrDefault(finding.reason(), Rule.RENDERING);
        String field = rule == Rule.OPERATING_SYSTEM ? "spec.osName" : "spec";
        if (findings.hasBelow(field, Set.of(Rule.SCHEMA))) {
            return;
        }
        findings.add(new LintFinding(
                Severity.ERROR,
                rule,
                source.at(field),
                field,
                Position.NONE,
                finding.what(),
                finding.cure(),
                Evidence.of(point.label())));
    }

    private void check(MatrixPoint point, Rendering rendering, Set<SourceText> empty, String newest) {
        MarkedRendering marked = new MarkedRendering(point, empty);
        // Once for each provider and situation is enough: a version changes little, and functions are known by name.
        boolean compare = !saidToDiffer && point.version().equals(newest);
        Rendering again =
                compare ? tools.again().render(point.input(source.profile(), variants.without(empty))) : rendering;
        for (ConfigName name : ConfigName.values()) {
            List<OperatingSystemConfig.File> files = files(rendering, name);
            List<OperatingSystemConfig.File> filesAgain = files(again, name);
            List<SourceFile> sources = source.files(name);
            for (int i = 0; i < sources.size(); i++) {
                String text = files.get(i).data();
                int index = i;
                RenderedFile file =
                        new RenderedFile(source, sources.get(i), text, point, () -> marked.lines(name, index, text));
                tools.contents().check(file);
                if (!text.equals(filesAgain.get(i).data())) {
                    differs(file, filesAgain.get(i).data());
                }
            }
        }
        tools.documents().check(point, rendering);
    }

    private static List<OperatingSystemConfig.File> files(Rendering rendering, ConfigName name) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        return switch (name) {
            case bootstrapConfig -> spec.bootstrapConfig().files();
            case provisioningConfig -> spec.provisioningConfig().files();
        };
    }

    private void differs(RenderedFile file, String again) {
        List<String> lines = file.text().lines().toList();
        List<String> other = again.lines().toList();
        int same = 0;
        while (same < Math.min(lines.size(), other.size()) && lines.get(same).equals(other.get(same))) {
            same++;
        }
        findings.add(file.finding(
                Severity.WARNING,
                Rule.TEMPLATE_NOT_REPEATABLE,
                same + 1,
                0,
                "two renderings of this line differ",
                "leave out what is random or depends on the time"));
    }

    /** The same rendering with marks, made when a line's origin is asked for. */
    private final class MarkedRendering {
        private final MatrixPoint point;
        private final Set<SourceText> empty;
        private final Map<ConfigName, List<OperatingSystemConfig.File>> files = new HashMap<>();

        MarkedRendering(MatrixPoint point, Set<SourceText> empty) {
            this.point = point;
            this.empty = empty;
        }

        /** Null when the marks changed more than they should. */
        @Nullable List<@Nullable SourceLine> lines(ConfigName name, int file, String text) {
            if (files.isEmpty()) {
                render();
            }
            List<OperatingSystemConfig.File> marked = files.getOrDefault(name, List.of());
            if (file >= marked.size()) {
                return null;
            }
            LineMarks.Rendered rendered = variants.marks().read(marked.get(file).data());
            return rendered.plain().equals(text) ? rendered.lines() : null;
        }

        private void render() {
            for (ConfigName name : ConfigName.values()) {
                files.put(name, List.of());
            }
            try {
                Rendering rendering =
                        tools.first().render(point.input(source.profile(), variants.markedWithout(empty)));
                for (ConfigName name : ConfigName.values()) {
                    files.put(name, DryRun.files(rendering, name));
                }
            } catch (TenantMistake e) {
                // The marks stand in the way of this template: findings then name its file instead of a line.
                files.replaceAll((name, none) -> List.of());
            }
        }
    }
}
