package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** Interns {@link ProfileContent} by spec. Thread-safe. */
final class ProfileContentInterner {
    private static final int LEAST_SWEEP = 64;

    private final Map<String, WeakReference<ProfileContent>> byHash = new HashMap<>();
    private int sweepAt = LEAST_SWEEP;

    ProfileContent of(OperatingSystemProfile.Spec spec) {
        String hash = ProfileContentHash.of(spec);
        synchronized (byHash) {
            WeakReference<ProfileContent> held = byHash.get(hash);
            ProfileContent known = held == null ? null : held.get();
            if (known != null) {
                return known;
            }
            ProfileContent content = new ProfileContent(hash, spec);
            byHash.put(hash, new WeakReference<>(content));
            if (byHash.size() > sweepAt) {
                // Evicts unused contents; rare, because the limit grows with the number of used ones.
                byHash.values().removeIf(reference -> reference.get() == null);
                sweepAt = Math.max(LEAST_SWEEP, 2 * byHash.size());
            }
            return content;
        }
    }
}
