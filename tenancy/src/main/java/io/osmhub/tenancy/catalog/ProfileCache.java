package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.management.StatusCache;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** All OperatingSystemProfiles of the management cluster. A tenant's sync gets only its {@link TenantProfileCatalog}. */
public final class ProfileCache extends StatusCache<StoredProfile> implements ProfileLister {
    private final Predicate<String> offered;
    private final ProfileContentInterner contents;

    /**
     * @param namespace the only one to watch; empty for all
     * @param offered whether a namespace shares its profiles with granted tenants
     * @param hasSubresource whether the CustomResourceDefinition has a status subresource
     */
    public ProfileCache(
            String namespace,
            Predicate<String> offered,
            BooleanSupplier hasSubresource,
            StoreListeners<StoredProfile> listeners,
            RuntimeContext runtimeContext) {
        this(namespace, offered, hasSubresource, listeners, runtimeContext, new ProfileContentInterner());
    }

    private ProfileCache(
            String namespace,
            Predicate<String> offered,
            BooleanSupplier hasSubresource,
            StoreListeners<StoredProfile> listeners,
            RuntimeContext runtimeContext,
            ProfileContentInterner contents) {
        super(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILES, namespace),
                decoder(contents),
                new StatusAccess<>(hasSubresource, StoredProfile::status, StoredProfile::statusPlace),
                listeners,
                runtimeContext);
        this.offered = offered;
        this.contents = contents;
    }

    private static ObjectDecoder<StoredProfile> decoder(ProfileContentInterner contents) {
        return reducing(object -> StoredProfile.of(object, contents), (metadata, why, earlier) -> StoredProfile.of(
                        metadata, contents)
                .unreadable(why, earlier == null ? null : earlier.status()));
    }

    /** For profiles of another cluster, which share their content with equal ones. */
    ObjectDecoder<StoredProfile> decoder() {
        return decoder(contents);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return offered.test(namespace);
    }

    /** Interns {@link ProfileContent} by spec. Thread-safe. */
    static final class ProfileContentInterner {
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
}
