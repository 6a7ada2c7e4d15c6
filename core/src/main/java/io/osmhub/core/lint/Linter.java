package io.osmhub.core.lint;

import io.osmhub.core.airgap.DeclaredDownloads;
import io.osmhub.core.airgap.Mirrors;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.document.YamlException;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport.Matrix;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks profiles. As far as possible, a mistake does not hide others: a faulty part is reported and left out of later checks.
 * Thread-safe if the script checker is.
 */
public final class Linter {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final List<String> REQUIRED = List.of(
            "osName", "osVersion", "version", "supportedCloudProviders", "bootstrapConfig", "provisioningConfig");

    final ScriptChecker scripts;
    final LongSupplier nanoTime;
    final long mostNanos;
    final Consumer<Runnable> turns;

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
        return lint(file, text, choice, null, Extensions.NONE, List.of());
    }

    /**
     * Checks profiles and extensions.
     *
     * @param airGap nodes without internet, to check that their settings provide all downloads; null to omit this check
     * @param extensions to compose profiles with those that select them; only what they bring about is reported then, in their files
     * @param profiles to search for conflicts with the extensions of the file
     */
    public List<ProfileLintReport> lint(
            String file,
            String text,
            MatrixFilter choice,
            @Nullable AirGap airGap,
            Extensions extensions,
            List<OperatingSystemProfile> profiles) {
        List<SourceDocument> documents = new ArrayList<>();
        // One list for all documents, which copy any other.
        List<String> lines = List.copyOf(text.lines().toList());
        FindingCollector unreadable = new FindingCollector();
        turns.accept(() -> {
            try {
                YamlDocumentReader.parse(text)
                        .forEach(root -> documents.add(new SourceDocument(ProblemObject.input(file), root, lines)));
            } catch (YamlException e) {
                SourcePosition position = new SourcePosition(
                        Math.max(1, e.position().line()), e.position().column());
                unreadable.add(LintRuleViolation.of("document-syntax", e.problem(), e.fix()), position, "", null);
            }
        });
        if (!unreadable.inOrder().isEmpty()) {
            return List.of(new ProfileLintReport(file, "", unreadable.inOrder(), Matrix.NONE));
        }
        return documents.stream()
                .flatMap(document -> objects(document).stream())
                .filter(document -> isProfile(document) || ExtensionRules.isExtension(document))
                .map(document -> ExtensionRules.isExtension(document)
                        ? lintExtension(document, profiles)
                        : lint(file, text, document, choice, airGap, extensions))
                .toList();
    }

    /** Checks what needs no profile. */
    public List<ProfileLintReport> lint(Extensions extensions) {
        return extensions.sources().values().stream()
                .map(document -> lintExtension(document, List.of()))
                .toList();
    }

    private ProfileLintReport lintExtension(SourceDocument document, List<OperatingSystemProfile> profiles) {
        FindingCollector findings = new FindingCollector();
        turns.accept(() -> new ExtensionRules(document, scripts, findings).run(profiles));
        String file = document.source().toString();
        return new ProfileLintReport(file, document.text("metadata.name"), findings.inOrder(), Matrix.NONE);
    }

    /**
     * Extensions to compose profiles with.
     *
     * @param sources of all extensions, also of those that cannot be composed, by {@link ProfileExtension#describe} as text
     */
    public record Extensions(Candidates candidates, Map<String, SourceDocument> sources) {
        public static final Extensions NONE = new Extensions(Candidates.NONE, Map.of());

        public Extensions {
            sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
        }
    }

    /** The profiles of a file that can be read. */
    public static List<OperatingSystemProfile> readProfiles(String text) {
        List<OperatingSystemProfile> profiles = new ArrayList<>();
        try {
            for (SourceDocument document : SourceDocument.readAll("", text, Reason.ProfileFileInvalid)) {
                if (isProfile(document)) {
                    profiles.add(ProfileReader.stored().read(document));
                }
            }
        } catch (TenantMistake e) {
            // The file's own report lists the mistakes.
        }
        return profiles;
    }

    /** The document, or the items of a list as {@code kubectl get} prints it. */
    private static List<SourceDocument> objects(SourceDocument document) {
        if (document.root() instanceof DocumentNode.Fields list
                && list.get("items") instanceof DocumentNode.Items items) {
            return items.nodes().stream()
                    .map(item -> new SourceDocument(document.source(), item, document.lines()))
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

    /**
     * Nodes without internet.
     *
     * @param declared the list of downloads of a profile that has one, see {@link DeclaredDownloads}; null for others
     */
    public record AirGap(Provisioning settings, Function<OperatingSystemProfile.Spec, @Nullable String> declared) {}

    /**
     * Finds what nodes download with the profiles of a file.
     *
     * @throws TenantMistake if the file or a profile in it cannot be read or rendered
     */
    public List<DownloadInventory> downloads(String file, String text, MatrixFilter choice, AirGap airGap)
            throws TenantMistake {
        List<DownloadInventory> inventories = new ArrayList<>();
        for (SourceDocument document : YamlDocumentReader.read(file, text, Reason.ProfileFileInvalid)) {
            for (SourceDocument object : objects(document)) {
                if (isProfile(object)) {
                    inventories.add(downloads(ProfileReader.strict().read(object), choice, airGap));
                }
            }
        }
        return inventories;
    }

    /** @throws TenantMistake if the profile cannot be rendered */
    public DownloadInventory downloads(OperatingSystemProfile profile, MatrixFilter choice, AirGap airGap) {
        return DownloadInventory.of(
                profile, airGap.declared().apply(profile.spec()), choice, airGap.settings(), renderer());
    }

    private ProfileLintReport lint(
            String file,
            String text,
            SourceDocument document,
            MatrixFilter choice,
            @Nullable AirGap airGap,
            Extensions extensions) {
        FindingCollector findings = new FindingCollector();
        AtomicReference<@Nullable DryRun> dryRun = new AtomicReference<>();
        turns.accept(() -> {
            schema(document, findings);
            ProfileSource source = ProfileSource.of(text, document);
            if (source != null) {
                new ProfileRules(source, scripts, findings).run();
                DryRun run = new DryRun(source, choice, findings, this, Extensions.NONE);
                run.compile();
                dryRun.set(run);
            }
        });
        DryRun run = dryRun.get();
        Matrix matrix = run == null ? Matrix.NONE : run.run();
        if (airGap != null && run != null) {
            airGap(run.source(), choice, airGap, findings);
        }
        FindingCollector reported = findings;
        if (run != null && !extensions.candidates().extensions().isEmpty()) {
            reported = new FindingCollector();
            DryRun composed = new DryRun(run.source(), choice, reported, this, extensions);
            turns.accept(composed::compile);
            matrix = composed.run();
            reported.removeAll(findings);
        }
        return new ProfileLintReport(file, document.text("metadata.name"), reported.inOrder(), matrix);
    }

    private void airGap(ProfileSource source, MatrixFilter choice, AirGap airGap, FindingCollector findings) {
        try {
            downloads(source.profile(), choice, airGap).report(source, new Mirrors(airGap.settings()), findings);
        } catch (TenantMistake e) {
            Problem finding = e.findings().getFirst();
            LintRuleViolation violation = LintRuleViolation.of("air-gap.not-rendered", finding.cause(), finding.fix());
            findings.add(violation, source.positionOf("spec"), "spec", null);
        }
    }

    /** Reports what the API server would reject, and other fields that cannot be read. */
    private static void schema(SourceDocument document, FindingCollector findings) {
        // The missing fields of a part of a profile are reported together.
        List<String> missing = document.find("spec") instanceof DocumentNode.Fields spec
                ? REQUIRED.stream().filter(name -> spec.get(name) == null).toList()
                : List.of();
        Set<String> known = new HashSet<>();
        if (missing.size() > 1) {
            missing.forEach(name -> known.add("spec." + name));
            LintRuleViolation violation = LintRuleViolation.of("schema.part", String.join(", ", missing));
            findings.add(violation, document.positionOf("spec"), "spec", null);
        }
        List<Problem> mistakes = ProfileReader.check(SourceDocument.json(document.root()));
        report(mistakes, known, document, findings);
        mistakes.forEach(mistake -> known.add(mistake.field()));
        try {
            ProfileReader.strict().read(document);
        } catch (TenantMistake e) {
            report(e.findings(), known, document, findings);
        }
    }

    private static void report(
            List<Problem> mistakes, Set<String> known, SourceDocument document, FindingCollector findings) {
        mistakes.stream()
                .filter(mistake -> !known.contains(mistake.field()) && !findings.isFull())
                .forEach(mistake -> findings.add(
                        LintRuleViolation.of("schema", mistake.cause(), mistake.fix()),
                        document.positionOf(mistake.field()),
                        mistake.field(),
                        null));
    }

    Renderer renderer() {
        return new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, nanoTime)::open);
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
