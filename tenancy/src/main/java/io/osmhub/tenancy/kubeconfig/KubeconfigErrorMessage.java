package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.ProblemFinding;
import java.util.List;

/** Formats all findings about a kubeconfig in one line, up to the length limit. */
final class KubeconfigErrorMessage {
    private static final int LONGEST = 1024;
    // Reserved for the suffix when not all findings fit.
    private static final int TAIL = 40;

    private KubeconfigErrorMessage() {}

    static String of(String tenant, List<ProblemFinding> findings) {
        if (findings.size() == 1) {
            return cut(tenant + ": " + findings.getFirst(), LONGEST);
        }
        StringBuilder line = new StringBuilder(tenant)
                .append(": ")
                .append(findings.getFirst().object())
                .append(": ")
                .append(findings.size())
                .append(" mistakes:");
        for (int i = 0; i < findings.size(); i++) {
            String next = " (" + (i + 1) + ") " + withoutObject(findings.get(i));
            if (i > 0 && line.length() + next.length() > LONGEST - TAIL) {
                return line.append(" and ")
                        .append(findings.size() - i)
                        .append(" more")
                        .toString();
            }
            line.append(cut(next, LONGEST - TAIL - line.length()));
        }
        return line.toString();
    }

    private static String withoutObject(ProblemFinding finding) {
        return new ProblemFinding(
                        finding.reason(),
                        "",
                        finding.field(),
                        finding.line(),
                        finding.column(),
                        finding.what(),
                        finding.cure())
                .toString();
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
    }
}
