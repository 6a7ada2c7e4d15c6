package io.osmhub.api.schema;

import io.osmhub.core.resource.Copies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Profiles to lint and the renderings to lint them in.
 *
 * @param cloudProviders absent means those that the profile names
 * @param kubernetesVersions minors; absent means those that hub and profile share
 */
public record LintRequest(
        List<ObjectSource> profiles,
        @Nullable List<String> cloudProviders,
        @Nullable List<String> kubernetesVersions) {
    public LintRequest {
        profiles = List.copyOf(profiles);
        cloudProviders = Copies.of(cloudProviders);
        kubernetesVersions = Copies.of(kubernetesVersions);
    }
}
