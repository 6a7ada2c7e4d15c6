package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** Makes one {@link ProfileContent} of equal specs. Safe for use by many threads. */
final class ProfileContents {
    private static final int LEAST_SWEEP = 64;

    private final Map<String, WeakReference<ProfileContent>> byHash = new HashMap<>();
    private int sweepAt = LEAST_SWEEP;

    ProfileContent of(OperatingSystemProfile.Spec spec) {
        String hash = ContentHash.of(spec);
        synchronized (byHash) {
            WeakReference<ProfileContent> held = byHash.get(hash);
            ProfileContent known = held == null ? null : held.get();
            if (known != null) {
                return known;
            }
            ProfileContent content = new ProfileContent(hash, spec);
            byHash.put(hash, new WeakReference<>(content));
            if (byHash.size() > sweepAt) {
                // Contents that no profile has any more; the limit grows with those that are there, so this stays rare.
                byHash.values().removeIf(reference -> reference.get() == null);
                sweepAt = Math.max(LEAST_SWEEP, 2 * byHash.size());
            }
            return content;
        }
    }
}
