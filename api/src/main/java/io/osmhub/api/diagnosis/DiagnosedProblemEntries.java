package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.ProblemMessage;
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

    static ProblemEntry of(DiagnosedProblem trouble, DiagnosisSubject subject) {
        ProblemMessage place = ProblemMessage.parse(trouble.message())
                .withCompleteFix(trouble.reason(), subject.tenant(), subject.workerCluster());
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
                cut(place.headline()),
                place.fix(),
                place.command().isEmpty() ? null : place.command(),
                "/docs/reference/reasons#" + trouble.reason().wireName().toLowerCase(Locale.ROOT),
                null,
                trouble.since(),
                null,
                null,
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
                trouble.reason().identity().wireName());
        return Sha256.hex(text, ID_BYTES);
    }
}
