package io.osmhub.api.diagnosis;

import io.osmhub.core.problem.Actor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fix instructions: a clause, and where possible a command on separate lines to copy. */
final class FixInstructions {
    private static final Pattern SUGGESTION = Pattern.compile("did you mean \"([^\"]{1,253})\"\\?");
    private static final Pattern SAFE = Pattern.compile("[a-z0-9][-a-z0-9.]{0,252}");

    private FixInstructions() {}

    static String of(DiagnosisSnapshot.DiagnosedProblem trouble, DiagnosisSnapshot.DiagnosisSubject subject) {
        ProblemMessage place = ProblemMessage.parse(trouble.message());
        String cure = place.cure();
        return switch (trouble.reason()) {
            case ProfileNotFound -> profileNotFound(cure, subject);
            case ProfileAnnotationMissing -> "set it again:\n" + annotate(subject, "PROFILE");
            case CredentialsRejected,
                    CredentialsExpired,
                    CredentialsExpiring,
                    NewCredentialsUnproven,
                    KubeconfigSecretNotFound,
                    KubeconfigKeyNotFound ->
                "store a new kubeconfig:\n" + cluster("rotate", subject) + " --kubeconfig FILE";
            case CredentialsRenewalFailed -> "restore the ServiceAccount and its Role:\n" + cluster("test", subject);
            case WriteForbidden ->
                cure.contains("hub cluster rbac")
                        ? cure + " | kubectl apply -f -"
                        : or(cure, trouble.reason().actor());
            case PermissionsMissing -> "apply the worker role: " + cluster("rbac", subject) + " | kubectl apply -f -";
            case ScopedTokenNotGranted -> cure.isEmpty() ? "set provisioning.bootstrap.nodeFetch to Auto" : cure;
            case Paused -> "resume the worker cluster:\n" + cluster("resume", subject);
            case WorkerNamespaceMissing, GetterTokenMissing ->
                "prepare the worker cluster:\n" + cluster("prepare", subject);
            case RevisionNotSet -> "check that machine-controller runs in the worker cluster";
            case BootstrapTokenExpiring, BootstrapTokenExpired, FetchTokenExpiring, FetchTokenExpired ->
                or(cure, Actor.OPERATOR) + "; see\n" + cluster("test", subject);
            default -> or(cure, trouble.reason().actor());
        };
    }

    private static String or(String cure, Actor actor) {
        if (!cure.isEmpty()) {
            return cure;
        }
        return switch (actor) {
            case TENANT -> "fix the cause; the hub retries immediately";
            case OPERATOR -> "fix the cause; the hub retries automatically";
            case HUB -> "no action needed; the hub retries";
        };
    }

    private static String profileNotFound(String cure, DiagnosisSnapshot.DiagnosisSubject subject) {
        Matcher suggestion = SUGGESTION.matcher(cure);
        if (suggestion.find() && SAFE.matcher(suggestion.group(1)).matches()) {
            return "did you mean " + suggestion.group(1) + "?\n" + annotate(subject, suggestion.group(1));
        }
        return "set an existing profile:\n" + "kubectl -n " + subject.tenant() + " get operatingsystemprofiles";
    }

    private static String annotate(DiagnosisSnapshot.DiagnosisSubject subject, String profile) {
        return "kubectl -n " + subject.namespace() + " annotate --overwrite machinedeployment " + subject.name()
                + " \\\n" + "  k8c.io/operating-system-profile=" + profile;
    }

    private static String cluster(String verb, DiagnosisSnapshot.DiagnosisSubject subject) {
        return "hub cluster " + verb + " " + subject.workerCluster() + " -n " + subject.tenant();
    }
}
