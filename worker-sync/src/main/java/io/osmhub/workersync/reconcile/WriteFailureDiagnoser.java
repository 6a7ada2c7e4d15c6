package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.write.WriteResult;
import io.osmhub.workersync.write.WriteTarget;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains why a write failed and who can fix it. */
final class WriteFailureDiagnoser {
    private static final Pattern USER = Pattern.compile("User \"([^\"]{1,200})\"");
    /** Every attempt uses a new name, which never exists. */
    private static final ProblemObject NEW_TOKEN = ProblemObject.inWorker("Secret", "kube-system/bootstrap-token-*");

    private final PlannedChange change;
    private final ApiFailure failure;
    private final WriteTarget target;

    private WriteFailureDiagnoser(WriteResult.FailedWrite failed) {
        change = failed.change();
        failure = failed.failure();
        target = WriteTarget.of(change);
    }

    static Reason reason(WriteResult.FailedWrite failed) {
        return new WriteFailureDiagnoser(failed).reason();
    }

    /**
     * @param facts before the write
     * @param attempts consecutive ones, including this one
     */
    static Problem diagnose(WriteResult.FailedWrite failed, Facts facts, TenantInputs inputs, int attempts) {
        return new WriteFailureDiagnoser(failed).diagnose(facts, inputs, attempts);
    }

    private Problem diagnose(Facts facts, TenantInputs inputs, int attempts) {
        Reason reason = reason();
        if (reason == Reason.WorkerNamespaceMissing) {
            return reason.with(inputs.variables());
        }
        ProblemObject object = change.createsToken() ? NEW_TOKEN : target.object();
        Problem problem = new Problem(reason, object, "", message(reason, attempts), fix(reason))
                .withCommand(command(reason, inputs));
        boolean olderStays = reason != Reason.WriteForbidden && facts.found().secret(SecretRole.BOOTSTRAP) != null;
        return (olderStays ? problem.withEffect("older content stays in use") : problem)
                .inTenant(inputs.namespace(), inputs.workerCluster())
                .atLink(change.link());
    }

    private Reason reason() {
        if (failure.kind() != ApiFailure.ApiFailureKind.ANSWERED || failure.isTransient() || failure.isUnauthorized()) {
            return Reason.PublishRetrying;
        }
        if (failure.isForbidden() && admissionFix().isEmpty()) {
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

    private String message(Reason reason, int attempts) {
        String verb = target.verb().wireName();
        return switch (reason) {
            case WriteForbidden ->
                user() + " may not " + verb + " " + target.resource().plural()
                        + (change instanceof PlannedChange.RequestFetchToken ? "/token" : "") + " in "
                        + target.key().namespace();
            case WriteRejected -> verb + " refused: " + failure.text();
            default -> verb + " failed (" + cause(failure) + ")" + (attempts > 1 ? ", try " + attempts : "");
        };
    }

    private String fix(Reason reason) {
        return switch (reason) {
            case WriteForbidden ->
                target.inWorker()
                        ? "apply the worker role"
                        : "apply the manifests of this version (rbac-management.yaml)";
            case WriteRejected -> {
                String fix = admissionFix();
                yield fix.isEmpty() ? "change what the API server refuses, or the object under its name" : fix;
            }
            default -> "no action is needed while the hub retries";
        };
    }

    private Command command(Reason reason, TenantInputs inputs) {
        return reason == Reason.WriteForbidden && target.inWorker()
                ? Command.worker(
                        "hub cluster rbac {} -n {}" + (target.isGrant() ? " --scoped-fetch" : "")
                                + " | kubectl apply -f -",
                        inputs.workerCluster(),
                        inputs.namespace())
                : Command.NONE;
    }

    /** Fix of a rejection by admission control, which may have code 403 although permissions would not help; empty for another. */
    private String admissionFix() {
        if (failure.text().contains("ValidatingAdmissionPolicy")) {
            return "change that policy, or exempt osm-hub";
        }
        if (failure.text().contains("admission webhook")) {
            return "change that webhook, or exempt osm-hub";
        }
        return failure.text().contains("exceeded quota")
                ? "raise the quota of namespace " + target.key().namespace()
                : "";
    }

    private String user() {
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
