package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.model.Sensitive;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how the machines of one MachineDeployment can fetch what they start from.
 *
 * @param shared the token of all MachineDeployments
 * @param mayGrant whether the hub may make accounts and roles for single MachineDeployments, and has seen those that are there
 * @param grants those found under the MachineDeployment's name
 * @param stored the token beside the user-data in the bootstrap secret; null without
 * @param fresh one that was asked for and is not published yet; null without
 */
public record FetchFacts(
        Lookup<Sensitive> shared,
        boolean mayGrant,
        Map<GrantKind, StoredGrant> grants,
        @Nullable FetchToken stored,
        @Nullable FetchToken fresh) {
    public FetchFacts {
        Map<GrantKind, StoredGrant> copy = new EnumMap<>(GrantKind.class);
        copy.putAll(grants);
        grants = Collections.unmodifiableMap(copy);
    }

    /** Where no MachineDeployment has a token of its own. */
    public static FetchFacts shared(Lookup<Sensitive> token) {
        return new FetchFacts(token, false, Map.of(), null, null);
    }
}
