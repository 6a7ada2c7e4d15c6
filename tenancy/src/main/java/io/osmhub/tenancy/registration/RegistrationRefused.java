package io.osmhub.tenancy.registration;

import io.osmhub.core.problem.Finding;
import io.osmhub.tenancy.connection.TestReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A registration that was not carried out; nothing was stored. Holds no credential. */
public final class RegistrationRefused extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why, as far as it decides what to do about it. */
    public enum Kind {
        /** There is no such WorkerCluster or namespace. */
        NOT_FOUND,
        /** What is asked for lacks something. */
        INCOMPLETE,
        /** The firewall does not let the kubeconfig in. */
        KUBECONFIG_REFUSED,
        /** The worker cluster is not as the hub needs it. */
        TEST_FAILED,
        /** Settings that cannot be. */
        SETTINGS_REFUSED,
        /** There is something else in its place, or it changed meanwhile. */
        CONFLICT,
        /** It is not as the caller said that it must be. */
        PRECONDITION_FAILED,
        /** The worker cluster refused to make the scoped credential. */
        WORKER_REFUSED,
        /** The worker cluster did not answer. */
        WORKER_SILENT
    }

    private final Kind kind;
    private final transient List<Finding> findings;
    private final transient @Nullable TestReport report;

    private RegistrationRefused(Kind kind, String detail, List<Finding> findings, @Nullable TestReport report) {
        super(detail, null, false, false);
        this.kind = kind;
        this.findings = List.copyOf(findings);
        this.report = report;
    }

    static RegistrationRefused of(Kind kind, String detail) {
        return new RegistrationRefused(kind, detail, List.of(), null);
    }

    static RegistrationRefused kubeconfig(List<Finding> findings) {
        String what =
                findings.size() == 1 ? "the kubeconfig is refused" : findings.size() + " mistakes in the kubeconfig";
        return new RegistrationRefused(Kind.KUBECONFIG_REFUSED, what + "; nothing was stored", findings, null);
    }

    static RegistrationRefused settings(List<Finding> findings) {
        String what = findings.size() == 1 ? "a setting is refused" : findings.size() + " settings are refused";
        return new RegistrationRefused(Kind.SETTINGS_REFUSED, what + "; nothing was stored", findings, null);
    }

    static RegistrationRefused test(TestReport report) {
        long failed = report.checks().stream()
                .filter(check -> check.outcome() == TestReport.Outcome.FAILED)
                .count();
        return new RegistrationRefused(
                Kind.TEST_FAILED,
                failed + " of " + report.checks().size() + " checks failed; nothing was stored",
                List.of(),
                report);
    }

    public Kind kind() {
        return kind;
    }

    /** One sentence: what happened and how to mend it. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Everything that is wrong with the kubeconfig or the settings. */
    public List<Finding> findings() {
        return findings;
    }

    /** Of TEST_FAILED; null otherwise. */
    public @Nullable TestReport report() {
        return report;
    }
}
