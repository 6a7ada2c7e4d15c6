package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects findings about one kubeconfig. Must not contain any of its values.
 *
 * @param source Secret or file that the findings are about
 */
record KubeconfigFindings(ProblemObject source, List<Problem> findings) {
    // A text of 512 KiB can have a hundred thousand mistakes.
    private static final int MOST = 100;

    KubeconfigFindings(ProblemObject source) {
        this(source, new ArrayList<>());
    }

    void addInvalid(String field, String what, String cure) {
        add(new Problem(Reason.KubeconfigInvalid, source, field, what, cure));
    }

    void addInvalid(String field, InvalidValueException invalid) {
        addInvalid(field, invalid.what(), invalid.cure());
    }

    void addForbidden(String field, String why, String cure) {
        add(new Problem(Reason.KubeconfigFieldRefused, source, field, "not allowed in the hub, " + why, cure));
    }

    void add(Problem finding) {
        if (findings.size() < MOST) {
            findings.add(finding);
        }
    }

    /** Whether there is a finding with this path prefix. */
    boolean hasAnyBelow(String path) {
        return findings.stream().anyMatch(finding -> finding.field().startsWith(path));
    }

    void throwIfAny() {
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }

    /** Aborts reading, for errors that make the rest meaningless. */
    TenantMistake fatal(SourcePosition position, String what, String cure) {
        return new TenantMistake(new Problem(Reason.KubeconfigInvalid, source, "", position, what, cure));
    }
}
