package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.write.Written;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells people why a write failed and who can do something about it. */
final class WriteFailures {
    private static final Pattern USER = Pattern.compile("User \"([^\"]{1,200})\"");
    private static final String OLDER_STAYS = "older content stays in use";
    /** Each try makes another name, and none of them is anywhere. */
    private static final String NEW_TOKEN = "Secret kube-system/bootstrap-token-*";

    private WriteFailures() {}

    /** @param tries in a row, this one included */
    static Diagnosis of(Written.Failed failed, TenantInputs inputs, int tries) {
        ApiFailure failure = failed.failure();
        Target target = Target.of(failed.change());
        Reason reason = reason(failure, target);
        if (reason == Reason.WorkerNamespaceMissing) {
            return new Diagnosis(
                    reason, Message.of(reason, Map.of("tenant", inputs.namespace(), "wc", inputs.workerCluster())));
        }
        return new Diagnosis(
                reason,
                Message.of(
                        inputs.namespace(),
                        new Finding(
                                reason.word(),
                                failed.change() instanceof Change.CreateToken ? NEW_TOKEN : target.toString(),
                                "",
                                what(reason, failure, target, tries),
                                cure(reason, failure, target, inputs))));
    }

    static Reason reason(ApiFailure failure, Target target) {
        if (failure.why() != ApiFailure.Cause.ANSWERED || failure.mayPass() || failure.isUnauthorized()) {
            return Reason.PublishRetrying;
        }
        if (failure.isForbidden() && !isRefusedByPolicy(failure)) {
            return Reason.WriteForbidden;
        }
        if (failure.isNotFound()) {
            // Of what was there a moment ago, or of the namespace that it is to go to.
            return failure.text().contains("namespaces") && target.inWorker()
                    ? Reason.WorkerNamespaceMissing
                    : Reason.PublishRetrying;
        }
        return Reason.WriteRejected;
    }

    /** Quotas and webhooks refuse with 403 too, but no right would help. */
    private static boolean isRefusedByPolicy(ApiFailure failure) {
        return failure.text().contains("exceeded quota") || failure.text().contains("admission webhook");
    }

    private static String what(Reason reason, ApiFailure failure, Target target, int tries) {
        return switch (reason) {
            case WriteForbidden ->
                user(failure) + " may not " + target.verb().word() + " " + target.resource() + " in "
                        + target.namespace();
            case WriteRejected -> target.verb().word() + " refused: " + failure.text();
            default -> target.verb().word() + " failed (" + cause(failure) + ")" + (tries > 1 ? ", try " + tries : "");
        };
    }

    private static String cure(Reason reason, ApiFailure failure, Target target, TenantInputs inputs) {
        return switch (reason) {
            case WriteForbidden ->
                target.inWorker()
                        ? "apply the worker role: hub cluster rbac " + inputs.workerCluster() + " -n "
                                + inputs.namespace() + (target.isGrant() ? " --scoped-fetch" : "")
                        : "apply the manifests of this version (rbac-management.yaml)";
            case WriteRejected -> {
                if (failure.text().contains("exceeded quota")) {
                    yield "raise the quota of namespace " + target.namespace();
                }
                yield failure.text().contains("admission webhook")
                        ? "change that webhook, or let osm-hub pass it"
                        : "look at what the API server says; " + OLDER_STAYS;
            }
            default -> OLDER_STAYS;
        };
    }

    private static String user(ApiFailure failure) {
        Matcher matcher = USER.matcher(failure.text());
        return matcher.find() ? matcher.group(1) : "the hub's user";
    }

    /** The server's or network's own words, with the code that it came with. */
    static String cause(ApiFailure failure) {
        return failure.why() == ApiFailure.Cause.ANSWERED ? failure.code() + ": " + failure.text() : failure.text();
    }
}
