package io.osmhub.core.plan;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.resource.NullableCollections;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cached part of an OperatingSystemConfig in the management cluster.
 *
 * @param contentHash SHA-256 in lower-case hex of its spec as canonical JSON: keys sorted, nulls left out
 * @param status null if none
 * @param lastWriter field manager of the latest write of metadata or spec; null if unknown
 */
public record StoredConfig(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        long generation,
        SortedMap<String, String> annotations,
        String contentHash,
        @Nullable OperatingSystemConfigStatus status,
        @Nullable String lastWriter)
        implements StoredObject {
    public StoredConfig {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    @Override
    public ProblemObject describe() {
        return object(namespace, name);
    }

    static ProblemObject object(String namespace, String name) {
        return new ProblemObject(ProblemObject.Cluster.MANAGEMENT, "OperatingSystemConfig", namespace, name);
    }

    public StoredConfig withStatus(@Nullable OperatingSystemConfigStatus latest) {
        return new StoredConfig(
                namespace, name, uid, resourceVersion, generation, annotations, contentHash, latest, lastWriter);
    }

    /** {@code namespace/name} of its MachineDeployment; empty when neither a mark nor the status names it. */
    public String owner() {
        String owner = annotations.get(OwnershipAnnotations.OWNER);
        MachineDeploymentSource source = source().machineDeployment();
        return owner != null ? owner : source == null ? "" : source.namespace() + "/" + source.name();
    }

    /** What it was rendered from, according to the status; without values if the status records nothing. */
    public RenderSource source() {
        return status == null || status.source() == null
                ? new RenderSource(null, null, null, null, null, null, null)
                : status.source();
    }

    /** Name of the Secret with the bootstrap token that was published last, from the status; null if none. */
    public @Nullable String publishedToken() {
        return NullableCollections.stream(status == null ? null : status.secrets())
                .filter(secret -> secret.role() == Role.BOOTSTRAP_TOKEN)
                .map(PublishedSecret::name)
                .findFirst()
                .orElse(null);
    }

    /** Whether a MachineDeployment owns it: marked so, or not marked and in OSM's form. */
    public boolean belongsTo(MachineDeployment machineDeployment) {
        String owner = annotations.get(OwnershipAnnotations.OWNER);
        return owner == null
                ? Ownership.hasSourceAnnotations(annotations)
                : owner.equals(OwnershipAnnotations.owner(machineDeployment));
    }
}
