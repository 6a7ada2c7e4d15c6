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

/** Problems as the API tells them. */
final class Entries {
    private static final int ID_BYTES = 8;
    private static final int LONGEST = 1024;
    private static final Set<String> IN_MANAGEMENT = Set.of(
            "WorkerCluster", "OperatingSystemProfile", "OperatingSystemConfig", "CustomResourceDefinition", "Lease");

    private Entries() {}

    static ProblemEntry of(Situation.Trouble trouble, Situation.Subject subject) {
        Place place = Place.in(trouble.message());
        String cure = Cures.of(trouble, subject);
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
                "/docs/operating#" + trouble.reason().word().toLowerCase(Locale.ROOT),
                null,
                trouble.since(),
                null,
                null);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
    }

    /** The object that the message names, else the one that carries the problem. */
    private static ObjectRef object(Place place, Situation.Trouble trouble, Situation.Subject subject) {
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

    /** As the inventory makes it, so that one problem has one id. */
    private static String id(Situation.Trouble trouble, Situation.Subject subject) {
        String text = String.join(
                "\n",
                subject.tenant(),
                subject.workerCluster(),
                trouble.kind(),
                trouble.namespace(),
                trouble.name(),
                trouble.reason().word());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
