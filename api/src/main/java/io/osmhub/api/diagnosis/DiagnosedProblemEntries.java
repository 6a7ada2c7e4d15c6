package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.Actor;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Diagnosed problems in the API's form. */
final class DiagnosedProblemEntries {
    private static final int ID_BYTES = 8;
    private static final int LONGEST = 1024;
    private static final Set<String> IN_MANAGEMENT = Set.of(
            "WorkerCluster", "OperatingSystemProfile", "OperatingSystemConfig", "CustomResourceDefinition", "Lease");

    private DiagnosedProblemEntries() {}

    static ProblemEntry of(DiagnosedProblem trouble, DiagnosisSubject subject) {
        ProblemMessage place = ProblemMessage.parse(trouble.message());
        String cure = FixInstructions.of(trouble, subject);
        return new ProblemEntry(
                id(trouble, subject),
                trouble.reason(),
                trouble.reason().severity(),
                trouble.reason().actor(),
                trouble.reason().category(),
                subject.tenant(),
                subject.workerCluster(),
                object(place, trouble, subject),
                place.field().isEmpty() ? null : place.field(),
                cut(trouble.message()),
                cut(cure),
                "/docs/reference/reasons#" + trouble.reason().wireName().toLowerCase(Locale.ROOT),
                null,
                trouble.since(),
                null,
                null);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
    }

    /** The object that the message names, else the one with the problem. */
    private static ObjectRef object(ProblemMessage place, DiagnosedProblem trouble, DiagnosisSubject subject) {
        if (place.kind().isEmpty() || place.kind().contains(" ")) {
            return ref(trouble.kind(), trouble.namespace(), trouble.name());
        }
        int slash = place.name().indexOf('/');
        String namespace = slash < 0 ? "" : place.name().substring(0, slash);
        if (namespace.isEmpty() && IN_MANAGEMENT.contains(place.kind())) {
            namespace = subject.tenant();
        }
        return ref(place.kind(), namespace, place.name().substring(slash + 1));
    }

    static ObjectRef ref(String kind, @Nullable String namespace, String name) {
        boolean management = IN_MANAGEMENT.contains(kind);
        return new ObjectRef(
                management ? ObjectRef.Cluster.MANAGEMENT : ObjectRef.Cluster.WORKER,
                kind,
                namespace == null || namespace.isEmpty() ? null : namespace,
                name);
    }

    /** The same id as in the inventory. */
    private static String id(DiagnosedProblem trouble, DiagnosisSubject subject) {
        String text = String.join(
                "\n",
                subject.tenant(),
                subject.workerCluster(),
                trouble.kind(),
                trouble.namespace(),
                trouble.name(),
                trouble.reason().wireName());
        return Sha256.hex(text, ID_BYTES);
    }

    /** Fix instructions: a clause, and where possible a command on separate lines to copy. */
    static final class FixInstructions {
        private static final Pattern SUGGESTION = Pattern.compile("did you mean \"([^\"]{1,253})\"\\?");
        private static final Pattern SAFE = Pattern.compile("[a-z0-9][-a-z0-9.]{0,252}");

        private FixInstructions() {}

        static String of(DiagnosedProblem trouble, DiagnosisSubject subject) {
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
                case CredentialsRenewalFailed ->
                    "restore the ServiceAccount and its Role:\n" + cluster("test", subject);
                case WriteForbidden ->
                    cure.contains("hub cluster rbac")
                            ? cure + " | kubectl apply -f -"
                            : or(cure, trouble.reason().actor());
                case PermissionsMissing ->
                    "apply the worker role: " + cluster("rbac", subject) + " | kubectl apply -f -";
                case ScopedTokenNotGranted -> cure.isEmpty() ? "set provisioning.bootstrap.nodeFetch to Auto" : cure;
                case Paused ->
                    cure.contains("Secret") ? cure : "resume the worker cluster:\n" + cluster("resume", subject);
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

        private static String profileNotFound(String cure, DiagnosisSubject subject) {
            Matcher suggestion = SUGGESTION.matcher(cure);
            if (suggestion.find() && SAFE.matcher(suggestion.group(1)).matches()) {
                return "did you mean " + suggestion.group(1) + "?\n" + annotate(subject, suggestion.group(1));
            }
            return "set an existing profile:\n" + "kubectl -n " + subject.tenant() + " get operatingsystemprofiles";
        }

        private static String annotate(DiagnosisSubject subject, String profile) {
            return "kubectl -n " + subject.namespace() + " annotate --overwrite machinedeployment " + subject.name()
                    + " \\\n" + "  k8c.io/operating-system-profile=" + profile;
        }

        private static String cluster(String verb, DiagnosisSubject subject) {
            return "hub cluster " + verb + " " + subject.workerCluster() + " -n " + subject.tenant();
        }
    }

    /**
     * A parsed message: {@code tenant: Kind name, field: what; cure}.
     *
     * @param kind empty if the message names no object
     * @param name with its namespace if it has one
     * @param field with the following text up to the colon; empty for the whole object
     * @param description the cause
     * @param cure empty if the message has none
     */
    record ProblemMessage(String kind, String name, String field, String description, String cure) {
        /** Trailing clauses that are not fixes. */
        private static final String[] NO_CURES = {
            "; older content stays in use", "; the hub retries with backoff", "older content stays in use"
        };

        /** Some objects are named with their cluster. */
        private static final String WORKER = "worker cluster, ";

        static ProblemMessage parse(String message) {
            String text = message.substring(afterTenant(message));
            for (String tail : NO_CURES) {
                if (text.endsWith(tail)) {
                    text = text.substring(0, text.length() - tail.length());
                }
            }
            if (text.startsWith(WORKER)) {
                text = text.substring(WORKER.length());
            }
            int colon = endOfPlace(text);
            String place = colon < 0 ? "" : text.substring(0, colon);
            String rest = colon < 0 ? text : text.substring(colon + 2);
            int comma = place.indexOf(", ");
            String object = comma < 0 ? place : place.substring(0, comma);
            String field = comma < 0 ? "" : place.substring(comma + 2);
            if (object.equals("worker cluster")) {
                // Not an object, but the location of a missing one.
                object = "";
            }
            int blank = object.lastIndexOf(' ');
            int cut = rest.lastIndexOf("; ");
            return new ProblemMessage(
                    blank < 0 ? "" : object.substring(0, blank),
                    blank < 0 ? object : object.substring(blank + 1),
                    field,
                    cut < 0 ? stripped(rest) : rest.substring(0, cut),
                    cut < 0 ? "" : stripped(rest.substring(cut + 2)));
        }

        private static String stripped(String text) {
            return text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
        }

        /** The tenant is a namespace, so it ends at the first colon. */
        private static int afterTenant(String message) {
            int colon = message.indexOf(": ");
            return colon < 0 || message.substring(0, colon).contains(" ") ? 0 : colon + 2;
        }

        /** A location ends at the first colon outside of parentheses before a blank. */
        private static int endOfPlace(String text) {
            int open = 0;
            for (int i = 0; i + 1 < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '(') {
                    open++;
                } else if (c == ')') {
                    open = Math.max(0, open - 1);
                } else if (c == ';') {
                    return -1;
                } else if (c == ':' && open == 0 && text.charAt(i + 1) == ' ') {
                    return i;
                }
            }
            return -1;
        }
    }
}
