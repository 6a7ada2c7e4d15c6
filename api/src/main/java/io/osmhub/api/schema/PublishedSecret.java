package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A published Secret in the worker cluster, without its content.
 *
 * @param revision of the MachineDeployment, as in the secret
 */
public record PublishedSecret(
        Role role,
        String namespace,
        String name,
        SecretState state,
        @Nullable String revision,
        @Nullable Long bytes,
        @Nullable Instant publishedAt) {}
