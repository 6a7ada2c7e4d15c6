package io.osmhub.core.plan;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects under the names of one MachineDeployment, from any writer.
 *
 * @param secrets those of {@code cloud-init-settings}, by role
 * @param tokens all whose label is the MachineDeployment's key, in any order
 * @param config null if none
 */
public record FoundObjects(
        Map<SecretRole, StoredSecret> secrets,
        List<StoredToken> tokens,
        @Nullable StoredConfig config) {
    public static final FoundObjects NONE = new FoundObjects(Map.of(), List.of(), null);

    public FoundObjects {
        Map<SecretRole, StoredSecret> copy = new EnumMap<>(SecretRole.class);
        copy.putAll(secrets);
        secrets = Collections.unmodifiableMap(copy);
        tokens = List.copyOf(tokens);
    }

    public @Nullable StoredSecret secret(SecretRole role) {
        return secrets.get(role);
    }

    /** Name of the Secret with the bootstrap token that was published last and is missing now; null if none. */
    public @Nullable String deletedToken() {
        String published = config == null ? null : config.publishedToken();
        return published == null
                        || tokens.stream().anyMatch(token -> token.name().equals(published))
                ? null
                : published;
    }
}
