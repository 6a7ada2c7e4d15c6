package io.osmhub.deploy.lint;

import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintReport;
import io.osmhub.core.lint.Severity;
import java.util.ArrayList;
import java.util.List;

/** The report for people and for editors, which know {@code file:line:column: severity: message}. */
public final class LintLines {
    private LintLines() {}

    /** One line for each finding. */
    public static List<String> findings(LintReport report) {
        return report.findings().stream().map(finding -> line(report, finding)).toList();
    }

    private static String line(LintReport report, LintFinding finding) {
        return report.file() + ":" + Math.max(1, finding.position().line()) + ":"
                + Math.max(1, finding.position().column()) + ": "
                + finding.severity().word() + ": "
                + finding.message() + " (" + finding.rule() + combinations(report, finding) + ")";
    }

    private static String combinations(LintReport report, LintFinding finding) {
        LintFinding.Evidence evidence = finding.evidence();
        int all = report.matrix().renderings();
        if (evidence == null || evidence.combinations() >= all) {
            return "";
        }
        return ", " + evidence.combinations() + " of " + all + " combinations: " + evidence.example()
                + (evidence.combinations() > 1 ? ", ..." : "");
    }

    /** What was found in a profile, and over what it was rendered: {@code osp.yaml: osp-ubuntu: 1 error in 312 renderings (...)}. */
    public static String summary(LintReport report) {
        List<String> counts = new ArrayList<>();
        for (Severity severity : Severity.values()) {
            long count = report.count(severity);
            if (count > 0) {
                counts.add(count + " " + severity.word() + (count > 1 && severity != Severity.INFO ? "s" : ""));
            }
        }
        String name = report.profile().isEmpty() ? report.file() : report.file() + ": " + report.profile();
        return name + ": " + (counts.isEmpty() ? "nothing wrong" : String.join(", ", counts)) + " in "
                + report.matrix();
    }
}
