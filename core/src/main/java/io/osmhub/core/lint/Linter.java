package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.airgap.Mirrors;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.NodeJsonWriter;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.DryRun.ProfileVariants;
import io.osmhub.core.lint.LineOriginTracker.TemplateActionScanner;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport.Matrix;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileResource;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks profiles. As far as possible, a mistake does not hide others: a faulty part is reported and left out of later checks.
 * Thread-safe if the script checker is.
 */
public final class Linter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final List<String> REQUIRED = List.of(
            "osName", "osVersion", "version", "supportedCloudProviders", "bootstrapConfig", "provisioningConfig");

    private final ScriptChecker scripts;
    private final LongSupplier nanoTime;
    private final long mostNanos;
    private final Consumer<Runnable> turns;
    private final TemplateEngines engines = new TemplateEngines();

    /**
     * @param scripts checks shell scripts
     * @param nanoTime monotonic clock for the time limit
     */
    public Linter(ScriptChecker scripts, LongSupplier nanoTime) {
        this(scripts, nanoTime, PATIENCE);
    }

    /** @param patience time limit for the combinations of one profile; a finding reports those left out */
    public Linter(ScriptChecker scripts, LongSupplier nanoTime, Duration patience) {
        this(scripts, nanoTime, patience, Runnable::run);
    }

    /** @param turns runs each part of the work, so that several callers of one thread take turns, and waits for it */
    public Linter(ScriptChecker scripts, LongSupplier nanoTime, Duration patience, Consumer<Runnable> turns) {
        this.scripts = scripts;
        this.nanoTime = nanoTime;
        this.mostNanos = patience.toNanos();
        this.turns = turns;
    }

    /**
     * Checks all profiles of a file.
     *
     * @param file its name in reports
     * @return a report for each profile, or one for the file if it cannot be read; empty if it has only other objects
     */
    public List<ProfileLintReport> lint(String file, String text) {
        return lint(file, text, MatrixFilter.ALL);
    }

    /** Renders only some of the combinations; checks that need no rendering are complete. */
    public List<ProfileLintReport> lint(String file, String text, MatrixFilter choice) {
        return lint(file, text, choice, null);
    }

    /** @param airGapped settings of nodes without internet, to check that they provide all downloads; null to omit this check */
    public List<ProfileLintReport> lint(
            String file, String text, MatrixFilter choice, @Nullable Provisioning airGapped) {
        List<SourceDocument> documents = new ArrayList<>();
        try {
            turns.accept(() -> documents.addAll(YamlDocumentReader.read(file, text, "ProfileInvalid")));
        } catch (TenantMistake e) {
            return List.of(new ProfileLintReport(
                    file, "", List.of(unreadable(e.findings().getFirst())), Matrix.NONE));
        }
        return documents.stream()
                .flatMap(document -> objects(document).stream())
                .filter(Linter::isProfile)
                .map(document -> lint(file, text, document, choice, airGapped))
                .toList();
    }

    /** The document, or the items of a list as {@code kubectl get} prints it. */
    private static List<SourceDocument> objects(SourceDocument document) {
        if (document.root() instanceof DocumentNode.Fields list
                && list.get("items") instanceof DocumentNode.Items items) {
            return items.nodes().stream()
                    .map(item -> new SourceDocument(document.source(), item))
                    .toList();
        }
        return List.of(document);
    }

    /** An object without a kind counts as a profile whose kind is missing. */
    private static boolean isProfile(SourceDocument document) {
        if (!(document.root() instanceof DocumentNode.Fields fields)) {
            return true;
        }
        String kind = text(fields, "kind");
        String apiVersion = text(fields, "apiVersion");
        if (kind.isEmpty() && apiVersion.isEmpty()) {
            return fields.get("spec") instanceof DocumentNode.Fields spec && spec.get("osName") != null;
        }
        return kind.equals(ProfileReader.KIND)
                || kind.equals(ProfileReader.CUSTOM_KIND)
                || apiVersion.equals(ProfileReader.API_VERSION) && !kind.equals("OperatingSystemConfig");
    }

    private static String text(DocumentNode.Fields fields, String name) {
        return fields.get(name) instanceof DocumentNode.Scalar scalar ? scalar.text() : "";
    }

    private static LintFinding unreadable(ProblemFinding finding) {
        return new LintFinding(
                LintSeverity.ERROR,
                LintRule.DOCUMENT_SYNTAX,
                new SourcePosition(Math.max(1, finding.line()), finding.column()),
                "",
                YamlDocumentReader.withoutPrefix(finding.what()),
                finding.cure());
    }

    /**
     * Finds what nodes download with the profiles of a file.
     *
     * @throws TenantMistake if the file or a profile in it cannot be read or rendered
     */
    public List<DownloadInventory> downloads(String file, String text, MatrixFilter choice, Provisioning settings)
            throws TenantMistake {
        List<DownloadInventory> inventories = new ArrayList<>();
        for (SourceDocument document : YamlDocumentReader.read(file, text, "ProfileInvalid")) {
            for (SourceDocument object : objects(document)) {
                if (isProfile(object)) {
                    inventories.add(downloads(ProfileReader.strict().read(object), choice, settings));
                }
            }
        }
        return inventories;
    }

    /** @throws TenantMistake if the profile cannot be rendered */
    public DownloadInventory downloads(OperatingSystemProfile profile, MatrixFilter choice, Provisioning settings) {
        return DownloadInventory.of(
                profile,
                new CompiledProfileCache(engines, 1).getOrCompile(profile.spec()),
                choice,
                settings,
                renderer());
    }

    private ProfileLintReport lint(
            String file, String text, SourceDocument document, MatrixFilter choice, @Nullable Provisioning airGapped) {
        FindingCollector findings = new FindingCollector();
        List<DryRun> dryRun = new ArrayList<>(1);
        turns.accept(() -> {
            schema(document, findings);
            OperatingSystemProfile profile = decode(document, findings);
            if (profile != null) {
                ProfileSourceMap source = new ProfileSourceMap(text, document, profile);
                StructureChecks.run(source, findings);
                new UnitChecks(source, scripts, findings).run();
                dryRun.add(dryRun(source, choice, findings));
            }
        });
        Matrix matrix = dryRun.isEmpty() ? Matrix.NONE : dryRun.getFirst().run();
        if (airGapped != null && !dryRun.isEmpty()) {
            airGap(dryRun.getFirst().source(), choice, airGapped, findings);
        }
        return new ProfileLintReport(file, name(document), findings.inOrder(), matrix);
    }

    private void airGap(
            ProfileSourceMap source, MatrixFilter choice, Provisioning settings, FindingCollector findings) {
        try {
            downloads(source.profile(), choice, settings).report(source, new Mirrors(settings), findings);
        } catch (TenantMistake e) {
            ProblemFinding finding = e.findings().getFirst();
            findings.error(
                    LintRule.AIR_GAP,
                    source.positionOf("spec"),
                    "spec",
                    "cannot be rendered with these settings: " + finding.what(),
                    finding.cure());
        }
    }

    private static String name(SourceDocument document) {
        return document.find("metadata.name") instanceof DocumentNode.Scalar name ? name.text() : "";
    }

    /** Reports what the API server would reject. */
    private static void schema(SourceDocument document, FindingCollector findings) {
        JsonNode json;
        try {
            json = JSON.readTree(NodeJsonWriter.write(document.root()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a document cannot be written as JSON", e);
        }
        List<String> missing = missing(document);
        if (missing.size() > 1) {
            findings.error(
                    LintRule.SCHEMA,
                    document.positionOf("spec"),
                    "spec",
                    "is only a part of a profile and lacks " + String.join(", ", missing)
                            + "; a profile replaces another one and cannot extend it",
                    "copy the whole profile under a new name, and add this part to the copy");
        }
        for (ProblemFinding finding : OperatingSystemProfileResource.check(json)) {
            if (!findings.isFull() && (missing.size() < 2 || !isMissing(finding.field(), missing))) {
                schema(document, finding, findings);
            }
        }
    }

    /** The required fields of the spec that are left out. */
    private static List<String> missing(SourceDocument document) {
        return document.find("spec") instanceof DocumentNode.Fields spec
                ? REQUIRED.stream().filter(name -> spec.get(name) == null).toList()
                : List.of();
    }

    private static boolean isMissing(String field, List<String> missing) {
        return field.startsWith("spec.") && missing.contains(field.substring("spec.".length()));
    }

    private static void schema(SourceDocument document, ProblemFinding finding, FindingCollector findings) {
        findings.error(
                LintRule.SCHEMA, document.positionOf(finding.field()), finding.field(), finding.what(), finding.cure());
    }

    /** The profile; null if it cannot be decoded even without its invalid fields. */
    private static @Nullable OperatingSystemProfile decode(SourceDocument document, FindingCollector findings) {
        List<ProblemFinding> mistakes = new ArrayList<>();
        OperatingSystemProfile profile = null;
        try {
            profile = ProfileReader.strict().read(document);
        } catch (TenantMistake e) {
            mistakes.addAll(e.findings());
        }
        Set<String> known = new HashSet<>();
        findings.inOrder().forEach(finding -> known.add(finding.field()));
        List<String> missing = missing(document);
        for (ProblemFinding mistake : mistakes) {
            // Reported together.
            if (missing.size() > 1 && isMissing(mistake.field(), missing)) {
                continue;
            }
            if (known.add(mistake.field()) && !findings.isFull()) {
                schema(document, mistake, findings);
            }
        }
        // The strict read has reported everything that is left out now.
        return profile != null ? profile : InvalidFieldPruner.readValidFields(document);
    }

    private DryRun dryRun(ProfileSourceMap source, MatrixFilter choice, FindingCollector findings) {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        Set<SourceText> broken = new TemplateChecks(source, engines.apply(spec.templateEngine()), findings).run();
        boolean ignition =
                spec.provisioningUtility().equals("ignition") && spec.osName().equals("flatcar");
        DryRun.Dependencies tools = new DryRun.Dependencies(
                renderer(),
                new ContentChecks(scripts, findings, ignition),
                new DocumentChecks(source, findings),
                nanoTime,
                mostNanos,
                turns);
        ProfileVariants variants = new ProfileVariants(source, new CompiledProfileCache(engines, 8));
        return new DryRun(source, choice, findings, variants, broken, tools);
    }

    private Renderer renderer() {
        return new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, nanoTime)::open);
    }

    /** Reads a profile without its invalid fields, so that they do not keep the rest from being checked. */
    private static final class InvalidFieldPruner {
        /** With more mistakes, checking the rest is of little use. */
        private static final int MOST = 20;

        /** The profile; null if the remaining fields are not a valid profile. */
        static @Nullable OperatingSystemProfile readValidFields(SourceDocument document) {
            DocumentNode root = document.root();
            for (int i = 0; i < MOST; i++) {
                try {
                    return ProfileReader.stored().read(new SourceDocument(document.source(), root));
                } catch (TenantMistake e) {
                    if (e.findings().size() > MOST) {
                        return null;
                    }
                    DocumentNode pruned = root;
                    for (ProblemFinding mistake : e.findings()) {
                        pruned = without(pruned, mistake.field(), "");
                    }
                    if (pruned.equals(root)) {
                        return null;
                    }
                    root = pruned;
                }
            }
            return null;
        }

        /** The node without the field at a path; unchanged if it has no such field. Items stay, because paths count them. */
        private static DocumentNode without(DocumentNode node, String field, String path) {
            return switch (node) {
                case DocumentNode.Fields fields -> {
                    List<DocumentNode.Field> kept = new ArrayList<>();
                    for (DocumentNode.Field child : fields.fields()) {
                        String below = below(path, child.name());
                        if (!below.equals(field)) {
                            DocumentNode value =
                                    field.startsWith(below) ? without(child.value(), field, below) : child.value();
                            kept.add(new DocumentNode.Field(child.name(), value, child.position()));
                        }
                    }
                    yield new DocumentNode.Fields(kept, fields.position());
                }
                case DocumentNode.Items items -> {
                    List<DocumentNode> kept = new ArrayList<>();
                    for (int i = 0; i < items.nodes().size(); i++) {
                        kept.add(without(items.nodes().get(i), field, path + "[" + i + "]"));
                    }
                    yield new DocumentNode.Items(kept, items.position());
                }
                case DocumentNode.Scalar scalar -> scalar;
            };
        }

        private static String below(String path, String name) {
            return path.isEmpty() ? name : path + "." + name;
        }
    }

    /** Checks of templates that need no rendering. */
    private static final class TemplateChecks {
        /** Templates of a configuration that are parsed alone after a mistake, each with the names of all snippets. */
        private static final int MOST_ALONE = 100;

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
            for (ConfigName config : ConfigName.values()) {
                run(source.texts().stream()
                        .filter(text -> text.config() == config)
                        .toList());
            }
            return broken;
        }

        private void run(List<SourceText> texts) {
            try {
                compile(texts, texts);
            } catch (TemplateException first) {
                if (texts.size() > MOST_ALONE) {
                    texts.stream()
                            .filter(text -> text.name().equals(first.template()))
                            .findFirst()
                            .ifPresent(text -> report(text, first));
                } else {
                    // So that all mistakes are found at once.
                    texts.forEach(text -> runAlone(text, texts));
                }
            }
        }

        private void runAlone(SourceText text, List<SourceText> all) {
            try {
                compile(List.of(text), all);
            } catch (TemplateException failure) {
                report(text, failure);
            }
        }

        /** Other snippets can be called, but are empty. */
        private void compile(List<SourceText> texts, List<SourceText> all) throws TemplateException {
            Map<String, String> snippets = new HashMap<>();
            if (texts != all) {
                all.stream().filter(SourceText::snippet).forEach(other -> snippets.put(other.name(), ""));
            }
            List<TemplateSources.File> files = new ArrayList<>();
            for (SourceText text : texts) {
                if (text.snippet()) {
                    snippets.put(text.name(), text.text());
                } else {
                    files.add(new TemplateSources.File(text.name(), text.text()));
                }
            }
            engine.compile(new TemplateSources(snippets, files));
        }

        private void report(SourceText text, TemplateException failure) {
            broken.add(text);
            findings.add(new LintFinding(
                    LintSeverity.ERROR,
                    failure.stage() == TemplateException.Stage.LIMIT
                            ? LintRule.TEMPLATE_LIMIT
                            : failure.refused() == null ? LintRule.TEMPLATE_SYNTAX : LintRule.FUNCTION_REFUSED,
                    source.positionIn(text.field(), failure.line(), failure.column()),
                    text.label(),
                    new SourcePosition(failure.line(), failure.column()),
                    failure.what(),
                    cure(text, failure),
                    null));
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
    }

    /**
     * The findings about one profile, in the order of the file.
     *
     * @param file the caller's name of the text
     * @param profile the profile's name; empty if it could not be read
     * @param matrix the rendered combinations
     */
    public record ProfileLintReport(String file, String profile, List<LintFinding> findings, Matrix matrix) {
        public ProfileLintReport {
            findings = List.copyOf(findings);
        }

        public long count(LintSeverity severity) {
            return findings.stream()
                    .filter(finding -> finding.severity() == severity)
                    .count();
        }

        /**
         * The rendered combinations.
         *
         * @param renderings their number
         * @param operatingSystem of the profile
         */
        public record Matrix(
                int renderings, String operatingSystem, List<String> cloudProviders, List<String> kubernetesVersions) {
            /** Nothing was rendered. */
            public static final Matrix NONE = new Matrix(0, "", List.of(), List.of());

            public Matrix {
                cloudProviders = List.copyOf(cloudProviders);
                kubernetesVersions = List.copyOf(kubernetesVersions);
            }

            /** For users: {@code 78 renderings (ubuntu x aws, gce x 1.31 to 1.37)}. */
            @Override
            public String toString() {
                if (renderings == 0) {
                    return "no rendering";
                }
                String versions = kubernetesVersions.size() == 1
                        ? kubernetesVersions.getFirst()
                        : kubernetesVersions.getFirst() + " to " + kubernetesVersions.getLast();
                return renderings + (renderings == 1 ? " rendering (" : " renderings (") + operatingSystem + " x "
                        + String.join(", ", cloudProviders) + " x " + versions + ")";
            }
        }
    }
}
