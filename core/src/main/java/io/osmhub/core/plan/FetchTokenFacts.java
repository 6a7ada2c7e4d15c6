package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.model.Sensitive;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens with which the machines of one MachineDeployment can fetch their configuration.
 *
 * @param shared the token of all MachineDeployments
 * @param canGrant whether the hub may create accounts and roles for single MachineDeployments, and has read the existing ones
 * @param grants those found under the MachineDeployment's name
 * @param stored the token beside the user-data in the bootstrap secret; null if none
 * @param requested one that was requested and is not published yet; null if none
 */
public record FetchTokenFacts(
        LookupResult<Sensitive> shared,
        boolean canGrant,
        Map<GrantKind, StoredGrant> grants,
        @Nullable FetchToken stored,
        @Nullable FetchToken requested) {
    public FetchTokenFacts {
        Map<GrantKind, StoredGrant> copy = new EnumMap<>(GrantKind.class);
        copy.putAll(grants);
        grants = Collections.unmodifiableMap(copy);
    }

    /** Facts without scoped tokens. */
    public static FetchTokenFacts shared(LookupResult<Sensitive> token) {
        return new FetchTokenFacts(token, false, Map.of(), null, null);
    }
}
