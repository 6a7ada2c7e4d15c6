package io.osmhub.api.schema;

import io.osmhub.core.osp.TemplateLanguage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration was made from, as far as it is known.
 *
 * @param machineDeploymentRevision empty before machine-controller has set one
 * @param profile namespace/name
 * @param contentHash of the redacted result
 */
public record Source(
        @Nullable String machineDeploymentRevision,
        @Nullable String profile,
        @Nullable String profileVersion,
        @Nullable String profileContentHash,
        @Nullable TemplateLanguage templateEngine,
        @Nullable String settingsHash,
        @Nullable String contentHash,
        @Nullable Instant renderedAt,
        @Nullable String because) {}
