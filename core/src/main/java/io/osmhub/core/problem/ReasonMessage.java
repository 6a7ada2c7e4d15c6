package io.osmhub.core.problem;

import java.util.Map;

/** A reason with its message, as in conditions, Events and problem lists. */
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
}
