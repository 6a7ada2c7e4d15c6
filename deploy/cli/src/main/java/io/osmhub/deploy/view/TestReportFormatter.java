package io.osmhub.deploy.view;

import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.TestReport.Check;
import io.osmhub.api.schema.TestReport.Check.CheckName;
import io.osmhub.api.schema.TestReport.Check.Outcome;
import io.osmhub.api.schema.TestReport.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats a connection test report: one line per check, followed by missing permissions and fixes. */
public final class TestReportFormatter {
    private static final String BELOW = " ".repeat(25);

    private TestReportFormatter() {}

    public static List<String> of(TestReport report) {
        List<String> lines = new ArrayList<>();
        for (Check check : report.checks()) {
            lines.add("  " + pad(outcomeLabel(check.state()), 8) + pad(name(check.name()), 15)
                    + text(check, report).stripTrailing());
            below(check, report).forEach(line -> lines.add(BELOW + line));
        }
        lines.replaceAll(String::stripTrailing);
        return lines;
    }

    /** For example {@code 1 of 10 checks failed}. */
    public static String summary(TestReport report) {
        long failed = report.checks().stream()
                .filter(check -> check.state() == Outcome.FAILED)
                .count();
        int all = report.checks().size();
        return failed == 0 ? all + " checks passed" : failed + " of " + all + " checks failed";
    }

    private static String text(Check check, TestReport report) {
        if (check.name() == CheckName.PERMISSIONS && check.state() == Outcome.FAILED) {
            return summarizePermissions(report) + "; missing:";
        }
        return check.message() == null ? "" : check.message();
    }

    /** For example {@code 21 of 21}. */
    static String summarizePermissions(TestReport report) {
        List<Permission> all = report.permissions() == null ? List.of() : report.permissions();
        long allowed = all.stream().filter(Permission::allowed).count();
        return allowed + " of " + all.size();
    }

    private static List<String> below(Check check, TestReport report) {
        List<String> lines = new ArrayList<>();
        boolean permissions = check.name() == CheckName.PERMISSIONS && check.state() == Outcome.FAILED;
        if (permissions && report.permissions() != null) {
            report.permissions().stream()
                    .filter(permission -> !permission.allowed())
                    .forEach(permission -> lines.add("  " + describe(permission)));
        }
        String cure = check.cure();
        if (cure != null && !cure.isEmpty()) {
            int command = cure.indexOf(": hub ");
            if (command < 0) {
                lines.add(cure);
            } else {
                lines.add(cure.substring(0, command + 1));
                lines.add("  " + cure.substring(command + 2));
            }
        }
        return lines;
    }

    private static String describe(Permission permission) {
        return permission.verb() + " " + permission.resource()
                + (permission.group() == null || permission.group().isEmpty() ? "" : "." + permission.group())
                + (permission.name() == null ? "" : " " + permission.name())
                + (permission.namespace() == null ? "" : " in " + permission.namespace());
    }

    private static String outcomeLabel(Outcome outcome) {
        return switch (outcome) {
            case OK -> "ok";
            case FAILED -> "FAILED";
            case WARNING -> "warns";
            case SKIPPED -> "-";
        };
    }

    private static String name(CheckName name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
