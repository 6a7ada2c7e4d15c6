package io.osmhub.tenancy.registration;

import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failed registration; nothing was stored. Contains no credential. */
public final class RegistrationException extends Exception {
    private static final long serialVersionUID = 1L;

    public enum Kind {
        /** The WorkerCluster or namespace does not exist. */
        NOT_FOUND,
        /** The request is incomplete. */
        INCOMPLETE,
        /** The kubeconfig failed validation. */
        KUBECONFIG_REFUSED,
        /** The worker cluster failed the test. */
        TEST_FAILED,
        /** Invalid settings. */
        SETTINGS_REFUSED,
        /** Another object has the name, or a concurrent change. */
        CONFLICT,
        /** A precondition of the caller does not hold. */
        PRECONDITION_FAILED,
        /** The worker cluster rejected the request for a scoped credential. */
        WORKER_REFUSED,
        /** The worker cluster did not respond. */
        WORKER_SILENT
    }

    private final Kind kind;
    private final transient List<Problem> findings;
    private final transient @Nullable ConnectionTestReport report;

    private RegistrationException(
            Kind kind, String detail, List<Problem> findings, @Nullable ConnectionTestReport report) {
        super(detail, null, false, false);
        this.kind = kind;
        this.findings = List.copyOf(findings);
        this.report = report;
    }

    static RegistrationException of(Kind kind, String detail) {
        return new RegistrationException(kind, detail, List.of(), null);
    }

    static RegistrationException kubeconfig(List<Problem> findings) {
        String what =
                findings.size() == 1 ? "the kubeconfig is rejected" : findings.size() + " mistakes in the kubeconfig";
        return new RegistrationException(Kind.KUBECONFIG_REFUSED, what + "; nothing was stored", findings, null);
    }

    static RegistrationException settings(List<Problem> findings) {
        String what = findings.size() == 1 ? "a setting is rejected" : findings.size() + " settings are rejected";
        return new RegistrationException(Kind.SETTINGS_REFUSED, what + "; nothing was stored", findings, null);
    }

    static RegistrationException test(ConnectionTestReport report) {
        long failed = report.checks().stream()
                .filter(check -> check.outcome() == ConnectionTestReport.CheckOutcome.FAILED)
                .count();
        return new RegistrationException(
                Kind.TEST_FAILED,
                failed + " of " + report.checks().size() + " checks failed; nothing was stored"
                        + (report.clusterId().isEmpty() && isUnreachable(report)
                                ? "; to store it while the cluster is unreachable, use --skip-test (of a request, skipTest)"
                                : ""),
                List.of(),
                report);
    }

    private static boolean isUnreachable(ConnectionTestReport report) {
        return report.failed(CheckStep.ADDRESS) || report.failed(CheckStep.CONNECTION);
    }

    public Kind kind() {
        return kind;
    }

    /** One sentence: what happened and how to fix it. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** All findings about the kubeconfig or the settings. */
    public List<Problem> findings() {
        return findings;
    }

    /** For TEST_FAILED; otherwise null. */
    public @Nullable ConnectionTestReport report() {
        return report;
    }
}
