package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Profiles to lint and the combinations to render.
 *
 * @param cloudProviders absent means those that the profile names
 * @param kubernetesVersions minors; absent means those supported by both hub and profile
 */
public record LintRequest(
        List<ObjectSource> profiles,
        @Nullable List<String> cloudProviders,
        @Nullable List<String> kubernetesVersions) {}
