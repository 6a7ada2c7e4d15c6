package io.osmhub.api.schema;

import io.osmhub.core.template.language.TemplateLanguage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of a configuration, as far as known.
 *
 * @param machineDeploymentRevision empty until machine-controller sets one
 * @param profile namespace/name
 * @param extensions that were applied, as namespace/name
 * @param contentHash of the redacted result
 */
public record ConfigurationSource(
        @Nullable String machineDeploymentRevision,
        @Nullable String profile,
        @Nullable String profileVersion,
        @Nullable String profileContentHash,
        @Nullable List<String> extensions,
        @Nullable TemplateLanguage templateEngine,
        @Nullable String settingsHash,
        @Nullable String contentHash,
        @Nullable Instant renderedAt,
        @Nullable String because) {}
