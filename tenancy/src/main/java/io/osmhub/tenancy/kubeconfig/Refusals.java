package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one kubeconfig. Nothing that came from its values may be put in. */
final class Refusals {
    // A text of 512 KiB can have a hundred thousand mistakes; nobody reads more than these.
    private static final int MOST = 100;

    private final String source;
    private final List<Finding> findings = new ArrayList<>();

    /** @param source what the findings are about, a Secret or a file */
    Refusals(String source) {
        this.source = source;
    }

    void invalid(String field, String what, String cure) {
        add(new Finding(Reason.KubeconfigInvalid.word(), source, field, what, cure));
    }

    void refused(String field, String why, String cure) {
        add(new Finding(Reason.KubeconfigFieldRefused.word(), source, field, "not allowed in the hub, " + why, cure));
    }

    void add(Finding finding) {
        if (findings.size() < MOST) {
            findings.add(finding);
        }
    }

    /** Whether a field with this beginning is said to be wrong. */
    boolean hasAnyBelow(String path) {
        return findings.stream().anyMatch(finding -> finding.field().startsWith(path));
    }

    String source() {
        return source;
    }

    void raise() {
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }

    /** Ends the reading at once, for mistakes after which the rest says nothing. */
    TenantMistake fatal(int line, String what, String cure) {
        return new TenantMistake(new Finding(Reason.KubeconfigInvalid.word(), source, "", line, 0, what, cure));
    }
}
