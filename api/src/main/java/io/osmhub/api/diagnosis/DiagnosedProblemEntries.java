package io.osmhub.api.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Diagnosed problems in the API's form. */
final class DiagnosedProblemEntries {
    private static final int ID_BYTES = 8;
    private static final int LONGEST = 1024;
    private static final Set<String> IN_MANAGEMENT = Set.of(
            "WorkerCluster", "OperatingSystemProfile", "OperatingSystemConfig", "CustomResourceDefinition", "Lease");

    private DiagnosedProblemEntries() {}

    static ProblemEntry of(DiagnosisSnapshot.DiagnosedProblem trouble, DiagnosisSnapshot.DiagnosisSubject subject) {
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
    private static ObjectRef object(
            ProblemMessage place,
            DiagnosisSnapshot.DiagnosedProblem trouble,
            DiagnosisSnapshot.DiagnosisSubject subject) {
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
    private static String id(DiagnosisSnapshot.DiagnosedProblem trouble, DiagnosisSnapshot.DiagnosisSubject subject) {
        String text = String.join(
                "\n",
                subject.tenant(),
                subject.workerCluster(),
                trouble.kind(),
                trouble.namespace(),
                trouble.name(),
                trouble.reason().wireName());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
