package io.osmhub.deploy.lint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.lint.Linter.ProfileLintReport.Matrix;
import io.osmhub.core.problem.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The reports of a lint: text in the editors' format {@code file:line:column: severity: message}, and JSON, whose schema is in
 * docs/reference/lint.md.
 */
public final class LintReportFormatter {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private LintReportFormatter() {}

    /** One line per finding. */
    public static List<String> findings(ProfileLintReport report) {
        return report.findings().stream().map(finding -> line(report, finding)).toList();
    }

    private static String line(ProfileLintReport report, LintFinding finding) {
        return file(report, finding) + ":" + Math.max(1, finding.position().line()) + ":"
                + Math.max(1, finding.position().column()) + ": "
                + finding.severity().wireName() + ": "
                + finding.message() + " (" + finding.rule() + combinations(report, finding) + ")";
    }

    private static String file(ProfileLintReport report, LintFinding finding) {
        return finding.file().isEmpty() ? report.file() : finding.file();
    }

    private static String combinations(ProfileLintReport report, LintFinding finding) {
        LintFinding.Evidence evidence = finding.evidence();
        int all = report.matrix().renderings();
        if (evidence == null || evidence.combinations() >= all) {
            return "";
        }
        return ", " + evidence.combinations() + " of " + all + " combinations: " + evidence.example()
                + (evidence.combinations() > 1 ? ", ..." : "");
    }

    /** The findings and renderings of a profile: {@code osp.yaml: osp-ubuntu: 1 error in 312 renderings (...)}. */
    public static String summary(ProfileLintReport report) {
        List<String> counts = new ArrayList<>();
        for (LintSeverity severity : LintSeverity.values()) {
            long count = report.count(severity);
            if (count > 0) {
                counts.add(count + " " + severity.wireName() + (count > 1 && severity != LintSeverity.INFO ? "s" : ""));
            }
        }
        String name = report.profile().isEmpty() ? report.file() : report.file() + ": " + report.profile();
        // An extension alone is not rendered.
        String rendered = counts.isEmpty() && report.matrix().equals(Matrix.NONE) ? "" : " in " + report.matrix();
        return name + ": " + (counts.isEmpty() ? "no findings" : String.join(", ", counts)) + rendered;
    }

    // JSON

    /** The JSON report; {@code notes} are the skipped checks and why. */
    public static String json(List<ProfileLintReport> reports, List<String> notes) {
        ObjectNode root = JSON.objectNode();
        root.put("errors", count(reports, LintSeverity.ERROR));
        root.put("warnings", count(reports, LintSeverity.WARNING));
        root.put("infos", count(reports, LintSeverity.INFO));
        root.put(
                "combinations",
                reports.stream()
                        .mapToInt(report -> report.matrix().renderings())
                        .sum());
        ArrayNode profiles = root.putArray("profiles");
        ArrayNode findings = root.putArray("findings");
        for (ProfileLintReport report : reports) {
            profiles.add(profile(report));
            report.findings().forEach(finding -> findings.add(findingJson(report, finding)));
        }
        notes.forEach(root.putArray("notes")::add);
        return root.toPrettyString();
    }

    private static long count(List<ProfileLintReport> reports, LintSeverity severity) {
        return reports.stream().mapToLong(report -> report.count(severity)).sum();
    }

    private static ObjectNode profile(ProfileLintReport report) {
        ObjectNode profile = JSON.objectNode();
        profile.put("file", report.file());
        profile.put("profile", report.profile());
        profile.put("operatingSystem", report.matrix().operatingSystem());
        report.matrix().cloudProviders().forEach(profile.putArray("cloudProviders")::add);
        report.matrix().kubernetesVersions().forEach(profile.putArray("kubernetesVersions")::add);
        profile.put("combinations", report.matrix().renderings());
        return profile;
    }

    private static ObjectNode findingJson(ProfileLintReport report, LintFinding finding) {
        ObjectNode node = JSON.objectNode();
        String word = finding.severity().wireName();
        node.put("severity", word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        node.put("rule", finding.rule().wireName());
        node.put("profile", report.profile());
        node.put("file", file(report, finding));
        position(node, "fileLine", "fileColumn", finding.position());
        field(node, finding.field());
        position(node, "line", "column", finding.inContent());
        node.put("message", finding.what());
        put(node, "cure", finding.cure());
        LintFinding.Evidence evidence = finding.evidence();
        if (evidence != null) {
            node.put("combinations", evidence.combinations());
            node.put("example", evidence.example());
            if (evidence.line() > 0) {
                node.put("renderedLine", evidence.line());
                node.put("renderedText", evidence.text());
            }
        }
        return node;
    }

    private static void position(ObjectNode node, String line, String column, SourcePosition position) {
        if (position.isKnown()) {
            node.put(line, position.line());
            if (position.column() > 0) {
                node.put(column, position.column());
            }
        }
    }

    /** Splits the field and file path that messages combine. */
    private static void field(ObjectNode node, String field) {
        int label = field.indexOf(" (");
        put(node, "field", label < 0 ? field : field.substring(0, label));
        if (label >= 0 && field.startsWith(" (/", label)) {
            put(node, "path", field.substring(label + 2, field.length() - 1));
        }
    }

    private static void put(ObjectNode node, String name, String text) {
        if (!text.isEmpty()) {
            node.put(name, text);
        }
    }
}
