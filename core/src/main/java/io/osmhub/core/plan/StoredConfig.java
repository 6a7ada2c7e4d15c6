package io.osmhub.core.plan;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.resource.Copies;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of an OperatingSystemConfig in the management cluster.
 *
 * @param contentHash SHA-256 in lower-case hex of its spec as canonical JSON: keys sorted, nulls left out
 * @param status null when it has none
 * @param lastWriter field manager of the latest write of metadata or spec; null when the server does not say
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
        @Nullable String lastWriter) {
    public StoredConfig {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    /** {@code namespace/name} of its MachineDeployment; empty when neither a mark nor the status names it. */
    public String owner() {
        String owner = annotations.get(Marks.OWNER);
        MachineDeploymentSource source = owner != null || status == null || status.source() == null
                ? null
                : status.source().machineDeployment();
        return owner != null ? owner : source == null ? "" : source.namespace() + "/" + source.name();
    }

    /** Name of the Secret with the bootstrap token that was published last, as the status has it; null without. */
    public @Nullable String publishedToken() {
        return Copies.stream(status == null ? null : status.secrets())
                .filter(secret -> secret.role() == Role.BOOTSTRAP_TOKEN)
                .map(PublishedSecret::name)
                .findFirst()
                .orElse(null);
    }

    /** Whether it is a MachineDeployment's: marked so, or not marked and of the peer's shape. */
    public boolean isOf(MachineDeployment machineDeployment) {
        String owner = annotations.get(Marks.OWNER);
        return owner == null ? Holder.stamped(annotations) : owner.equals(Marks.owner(machineDeployment));
    }
}
