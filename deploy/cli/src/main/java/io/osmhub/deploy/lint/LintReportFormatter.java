package io.osmhub.deploy.lint;

import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import java.util.ArrayList;
import java.util.List;

/** The text report in the editors' format {@code file:line:column: severity: message}. */
public final class LintReportFormatter {
    private LintReportFormatter() {}

    /** One line per finding. */
    public static List<String> findings(ProfileLintReport report) {
        return report.findings().stream().map(finding -> line(report, finding)).toList();
    }

    private static String line(ProfileLintReport report, LintFinding finding) {
        return report.file() + ":" + Math.max(1, finding.position().line()) + ":"
                + Math.max(1, finding.position().column()) + ": "
                + finding.severity().wireName() + ": "
                + finding.message() + " (" + finding.rule() + combinations(report, finding) + ")";
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
        return name + ": " + (counts.isEmpty() ? "no findings" : String.join(", ", counts)) + " in " + report.matrix();
    }
}
