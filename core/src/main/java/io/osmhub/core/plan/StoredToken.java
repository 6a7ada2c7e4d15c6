package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.ProblemObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A bootstrap token Secret in {@code kube-system}, as found.
 *
 * @param name of the Secret
 * @param id empty if missing
 * @param secret empty if missing
 * @param expiration null if missing or not a valid time
 * @param canJoin whether a kubelet can join with it until it expires: it authenticates, into the group of nodes
 * @param label value of {@code machinedeployment.k8s.io/name}: the key of its MachineDeployment
 */
public record StoredToken(
        String name,
        String uid,
        String resourceVersion,
        String id,
        Sensitive secret,
        @Nullable Instant expiration,
        boolean canJoin,
        String label,
        Instant creationTimestamp,
        SortedMap<String, String> annotations,
        @Nullable String lastWriter)
        implements StoredObject {
    public StoredToken {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    /** Reads a labelled Secret with its decoded data. */
    public static StoredToken of(StoredSecret secret, Instant creationTimestamp, Map<String, String> data) {
        String groups = "," + data.getOrDefault(BootstrapToken.GROUPS, "") + ",";
        return new StoredToken(
                secret.name(),
                secret.uid(),
                secret.resourceVersion(),
                data.getOrDefault(BootstrapToken.ID, ""),
                new Sensitive(data.getOrDefault(BootstrapToken.SECRET, "")),
                time(data.get(BootstrapToken.EXPIRATION)),
                "true".equals(data.get(BootstrapToken.AUTHENTICATION))
                        && groups.contains("," + BootstrapToken.NODE_GROUP + ","),
                secret.labels().getOrDefault(BootstrapToken.LABEL, ""),
                creationTimestamp,
                secret.annotations(),
                secret.lastWriter());
    }

    @Override
    public ProblemObject describe() {
        return new ProblemObject(ProblemObject.Cluster.WORKER, "Secret", ObjectNames.TOKEN_NAMESPACE, name);
    }

    /** OSM writes the zone of its process. */
    private static @Nullable Instant time(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** The token's text, which other objects embed. */
    Sensitive text() {
        return new Sensitive(id + "." + secret.reveal());
    }
}
