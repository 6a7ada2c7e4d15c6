package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.JsonText;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.lint.LintReport.Matrix;
import io.osmhub.core.lint.ProfileSource.SourceText;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileResource;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks profiles before anybody uses them. A mistake does not hide others, as far as that is possible: what is wrong is
 * reported, and left out of the checks that follow. Safe for use by many threads if the script checker is.
 */
public final class Linter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ScriptChecker scripts;
    private final LongSupplier nanoTime;
    private final long mostNanos;
    private final TemplateLanguages engines = new TemplateLanguages();

    /**
     * @param scripts checks shell scripts
     * @param nanoTime a clock that never goes back, which ends what takes too long
     */
    public Linter(ScriptChecker scripts, LongSupplier nanoTime) {
        this(scripts, nanoTime, PATIENCE);
    }

    /** @param patience for the combinations of one profile; those that are not begun by then are left out, and a finding says so */
    public Linter(ScriptChecker scripts, LongSupplier nanoTime, Duration patience) {
        this.scripts = scripts;
        this.nanoTime = nanoTime;
        this.mostNanos = patience.toNanos();
    }

    /**
     * Checks all profiles of a file.
     *
     * @param file what the reports call it
     * @return a report for each profile, or one for the file when it cannot be read; empty when it holds other objects only
     */
    public List<LintReport> lint(String file, String text) {
        return lint(file, text, MatrixChoice.ALL);
    }

    /** The same, rendered in a part of the combinations only; what needs no rendering is checked all the same. */
    public List<LintReport> lint(String file, String text, MatrixChoice choice) {
        List<Document> documents;
        try {
            documents = YamlText.read(file, text, "ProfileInvalid");
        } catch (TenantMistake e) {
            return List.of(new LintReport(
                    file, "", List.of(unreadable(text, e.findings().getFirst())), Matrix.NONE));
        }
        return documents.stream()
                .flatMap(document -> objects(document).stream())
                .filter(Linter::isProfile)
                .map(document -> lint(file, text, document, choice))
                .toList();
    }

    /** The document, or the items of a list as {@code kubectl get} prints it. */
    private static List<Document> objects(Document document) {
        if (document.root() instanceof Node.Fields list && list.get("items") instanceof Node.Items items) {
            return items.nodes().stream()
                    .map(item -> new Document(document.source(), item))
                    .toList();
        }
        return List.of(document);
    }

    /** One that says nothing of its kind is taken for a profile that forgot it. */
    private static boolean isProfile(Document document) {
        if (!(document.root() instanceof Node.Fields fields)) {
            return true;
        }
        String kind = text(fields, "kind");
        String apiVersion = text(fields, "apiVersion");
        if (kind.isEmpty() && apiVersion.isEmpty()) {
            return fields.get("spec") instanceof Node.Fields spec && spec.get("osName") != null;
        }
        return kind.equals(ProfileReader.KIND)
                || apiVersion.equals(ProfileReader.API_VERSION) && !kind.equals("OperatingSystemConfig");
    }

    private static String text(Node.Fields fields, String name) {
        return fields.get(name) instanceof Node.Scalar scalar ? scalar.text() : "";
    }

    private static LintFinding unreadable(String text, Finding finding) {
        Position place = YamlPlace.of(text, finding);
        return new LintFinding(
                Severity.ERROR, Rule.DOCUMENT_SYNTAX, place, "", YamlPlace.what(finding), YamlPlace.cure(text, place));
    }

    private LintReport lint(String file, String text, Document document, MatrixChoice choice) {
        Findings findings = new Findings();
        schema(document, findings);
        OperatingSystemProfile profile = decode(document, findings);
        Matrix matrix = Matrix.NONE;
        if (profile != null) {
            ProfileSource source = new ProfileSource(text, document, profile);
            StructureChecks.run(source, findings);
            new UnitChecks(source, scripts, findings).run();
            matrix = render(source, choice, findings);
        }
        return new LintReport(file, name(document), findings.inOrder(), matrix);
    }

    private static String name(Document document) {
        return document.find("metadata.name") instanceof Node.Scalar name ? name.text() : "";
    }

    /** What the API server would refuse. */
    private static void schema(Document document, Findings findings) {
        JsonNode json;
        try {
            json = JSON.readTree(JsonText.of(document.root()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a document is written as JSON", e);
        }
        for (Finding finding : OperatingSystemProfileResource.check(json)) {
            schema(document, finding, findings);
        }
    }

    private static void schema(Document document, Finding finding, Findings findings) {
        findings.error(
                Rule.SCHEMA, document.positionOf(finding.field()), finding.field(), finding.what(), finding.cure());
    }

    /** The profile; null when it cannot be understood even without what is unknown in it. */
    private static @Nullable OperatingSystemProfile decode(Document document, Findings findings) {
        List<Finding> mistakes = new ArrayList<>();
        OperatingSystemProfile profile = null;
        try {
            profile = ProfileReader.strict().read(document);
        } catch (TenantMistake e) {
            mistakes.addAll(e.findings());
        }
        Set<String> known = new HashSet<>();
        findings.inOrder().forEach(finding -> known.add(finding.field()));
        for (Finding mistake : mistakes) {
            if (known.add(mistake.field())) {
                schema(document, mistake, findings);
            }
        }
        // The strict reading has reported all that is left out now.
        return profile != null ? profile : Pruning.read(document);
    }

    private Matrix render(ProfileSource source, MatrixChoice choice, Findings findings) {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        Set<SourceText> broken = new TemplateChecks(source, engines.apply(spec.templateEngine()), findings).run();
        boolean ignition =
                spec.provisioningUtility().equals("ignition") && spec.osName().equals("flatcar");
        DryRun.Tools tools = new DryRun.Tools(
                renderer(Instant.parse("2026-01-02T03:04:05Z"), 1),
                renderer(Instant.parse("2027-02-03T14:15:16Z"), 2),
                new ContentChecks(scripts, findings, ignition),
                new DocumentChecks(source, findings),
                nanoTime,
                mostNanos);
        Variants variants = new Variants(source, new CompiledProfiles(engines, 8));
        return new DryRun(source, choice, findings, variants, broken, tools).run();
    }

    private Renderer renderer(Instant now, long seed) {
        return new Renderer(new Sandbox.Factory(
                Limits.DEFAULT, InstantSource.fixed(now), ZoneOffset.UTC, new SplittableRandom(seed), nanoTime)::open);
    }
}
