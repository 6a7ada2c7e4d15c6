package io.osmhub.core.plan;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import java.util.Map;

/** A reason with its message: one thing that is wrong with a MachineDeployment. */
public record ReasonMessage(Reason reason, String message) {
    /**
     * Reasons for findings that readers of files report. The API server has validated the objects of a cluster, so
     * these are rare there and mapped to the nearest reason.
     */
    private static final Map<String, Reason> FILES = Map.of(
            "ProfileInvalid", Reason.ProfileFileInvalid,
            "MachineDeploymentInvalid", Reason.ProviderSpecInvalid,
            "OperatingSystemConfigInvalid", Reason.ObjectNotOwned,
            "ObjectInvalid", Reason.SettingsInvalid);

    /** @throws IllegalArgumentException if the finding's reason is unknown */
    public static Reason reasonOf(ProblemFinding finding) {
        Reason file = FILES.get(finding.reason());
        return file != null ? file : Reason.of(finding.reason()).orElse(Reason.InternalError);
    }

    /** @param tenant its namespace */
    public static ReasonMessage of(String tenant, ProblemFinding finding) {
        return new ReasonMessage(reasonOf(finding), MessageFormatter.format(tenant, finding));
    }

    /** For a finding in a tenant's settings, which names a field of {@code spec} and no object. */
    public static ReasonMessage ofSettings(Facts.Tenant tenant, ProblemFinding finding) {
        boolean bare = finding.object().isEmpty();
        ProblemFinding whole = bare
                ? new ProblemFinding(
                        finding.reason(),
                        "WorkerCluster " + tenant.workerCluster(),
                        finding.field().isEmpty() ? "" : "spec." + finding.field(),
                        finding.what(),
                        finding.cure())
                : finding;
        return of(tenant.namespace(), whole);
    }

    static ReasonMessage of(Reason reason, Map<String, String> values) {
        return new ReasonMessage(reason, MessageFormatter.format(reason, values));
    }
}
