package io.osmhub.core.plan;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import java.util.Map;

/** One thing that keeps a MachineDeployment from being as wanted, as users are told it. */
public record Diagnosis(Reason reason, String message) {
    /**
     * Words that stand for the kind of a file where files are read. The objects of a cluster have been checked by the API server,
     * so that little of this can be seen there; what can be is nearest to these.
     */
    private static final Map<String, Reason> FILES = Map.of(
            "ProfileInvalid", Reason.ProfileFileInvalid,
            "MachineDeploymentInvalid", Reason.ProviderSpecInvalid,
            "OperatingSystemConfigInvalid", Reason.ObjectNotOwned,
            "ObjectInvalid", Reason.SettingsInvalid);

    /** The reason of a finding; a word that is none is a fault of the hub. */
    public static Reason reasonOf(Finding finding) {
        Reason file = FILES.get(finding.reason());
        return file != null ? file : Reason.of(finding.reason()).orElse(Reason.InternalError);
    }

    /** @param tenant its namespace */
    public static Diagnosis of(String tenant, Finding finding) {
        return new Diagnosis(reasonOf(finding), Message.of(tenant, finding));
    }

    /** Of something in a tenant's settings, whose findings name a field of {@code spec} and leave the object out. */
    public static Diagnosis ofSettings(Facts.Tenant tenant, Finding finding) {
        boolean bare = finding.object().isEmpty();
        Finding whole = bare
                ? new Finding(
                        finding.reason(),
                        "WorkerCluster " + tenant.workerCluster(),
                        finding.field().isEmpty() ? "" : "spec." + finding.field(),
                        finding.what(),
                        finding.cure())
                : finding;
        return of(tenant.namespace(), whole);
    }

    static Diagnosis of(Reason reason, Map<String, String> values) {
        return new Diagnosis(reason, Message.of(reason, values));
    }
}
