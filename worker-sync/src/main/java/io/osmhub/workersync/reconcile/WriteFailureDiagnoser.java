package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.write.WriteResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains why a write failed and who can fix it. */
final class WriteFailureDiagnoser {
    private static final Pattern USER = Pattern.compile("User \"([^\"]{1,200})\"");
    /** Every attempt uses a new name, which never exists. */
    private static final String NEW_TOKEN = "Secret kube-system/bootstrap-token-*";

    private WriteFailureDiagnoser() {}

    /**
     * @param facts before the write
     * @param tries consecutive attempts, including this one
     */
    static ReasonMessage of(WriteResult.FailedWrite failed, Facts facts, TenantInputs inputs, int tries) {
        ApiFailure failure = failed.failure();
        WriteTarget target = WriteTarget.of(failed.change());
        Reason reason = reason(failure, target);
        if (reason == Reason.WorkerNamespaceMissing) {
            return reason.with("tenant", inputs.namespace(), "wc", inputs.workerCluster());
        }
        ProblemFinding finding = new ProblemFinding(
                reason.wireName(),
                failed.change() instanceof PlannedChange.CreateToken ? NEW_TOKEN : target.toString(),
                "",
                what(reason, failure, target, tries),
                cure(reason, failure, target, inputs));
        boolean olderStays = reason != Reason.WriteForbidden && facts.found().secret(SecretRole.BOOTSTRAP) != null;
        return ReasonMessage.of(
                inputs.namespace(), olderStays ? finding.withEffect("older content stays in use") : finding);
    }

    static Reason reason(ApiFailure failure, WriteTarget target) {
        if (failure.kind() != ApiFailure.ApiFailureKind.ANSWERED || failure.isTransient() || failure.isUnauthorized()) {
            return Reason.PublishRetrying;
        }
        if (failure.isForbidden() && admissionFix(failure, target).isEmpty()) {
            return Reason.WriteForbidden;
        }
        if (failure.isNotFound()) {
            // Either the object, deleted meanwhile, or the namespace to create it in.
            return failure.text().contains("namespaces") && target.inWorker()
                    ? Reason.WorkerNamespaceMissing
                    : Reason.PublishRetrying;
        }
        return Reason.WriteRejected;
    }

    private static String what(Reason reason, ApiFailure failure, WriteTarget target, int tries) {
        return switch (reason) {
            case WriteForbidden ->
                user(failure) + " may not " + target.verb().wireName() + " " + target.resource() + " in "
                        + target.namespace();
            case WriteRejected -> target.verb().wireName() + " refused: " + failure.text();
            default ->
                target.verb().wireName() + " failed (" + cause(failure) + ")" + (tries > 1 ? ", try " + tries : "");
        };
    }

    private static String cure(Reason reason, ApiFailure failure, WriteTarget target, TenantInputs inputs) {
        return switch (reason) {
            case WriteForbidden ->
                target.inWorker()
                        ? "apply the worker role: hub cluster rbac " + inputs.workerCluster() + " -n "
                                + inputs.namespace() + (target.isGrant() ? " --scoped-fetch" : "")
                                + " | kubectl apply -f -"
                        : "apply the manifests of this version (rbac-management.yaml)";
            case WriteRejected -> {
                String fix = admissionFix(failure, target);
                yield fix.isEmpty() ? "change what the API server refuses, or the object under its name" : fix;
            }
            default -> "no action is needed while the hub retries";
        };
    }

    /** Fix of a rejection by admission control, which may have code 403 although permissions would not help; empty for another. */
    private static String admissionFix(ApiFailure failure, WriteTarget target) {
        if (failure.text().contains("ValidatingAdmissionPolicy")) {
            return "change that policy, or exempt osm-hub";
        }
        if (failure.text().contains("admission webhook")) {
            return "change that webhook, or exempt osm-hub";
        }
        return failure.text().contains("exceeded quota") ? "raise the quota of namespace " + target.namespace() : "";
    }

    private static String user(ApiFailure failure) {
        Matcher matcher = USER.matcher(failure.text());
        return matcher.find() ? matcher.group(1) : "the hub's user";
    }

    /** The server's or network's message, with the status code. */
    static String cause(ApiFailure failure) {
        return failure.kind() == ApiFailure.ApiFailureKind.ANSWERED
                ? failure.code() + ": " + failure.text()
                : failure.text();
    }
}
