package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;

/** Collects findings about one kubeconfig. Must not contain any of its values. */
final class KubeconfigFindings {
    // A text of 512 KiB can have a hundred thousand mistakes.
    private static final int MOST = 100;

    private final String source;
    private final List<ProblemFinding> findings = new ArrayList<>();

    /** @param source Secret or file that the findings are about */
    KubeconfigFindings(String source) {
        this.source = source;
    }

    void addInvalid(String field, String what, String cure) {
        add(new ProblemFinding(Reason.KubeconfigInvalid.wireName(), source, field, what, cure));
    }

    void addForbidden(String field, String why, String cure) {
        add(new ProblemFinding(
                Reason.KubeconfigFieldRefused.wireName(), source, field, "not allowed in the hub, " + why, cure));
    }

    void add(ProblemFinding finding) {
        if (findings.size() < MOST) {
            findings.add(finding);
        }
    }

    /** Whether there is a finding with this path prefix. */
    boolean hasAnyBelow(String path) {
        return findings.stream().anyMatch(finding -> finding.field().startsWith(path));
    }

    String source() {
        return source;
    }

    void throwIfAny() {
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }

    /** Aborts reading, for errors that make the rest meaningless. */
    TenantMistake fatal(int line, String what, String cure) {
        return fatal(line, 0, what, cure);
    }

    TenantMistake fatal(int line, int column, String what, String cure) {
        return new TenantMistake(
                new ProblemFinding(Reason.KubeconfigInvalid.wireName(), source, "", line, column, what, cure));
    }
}
