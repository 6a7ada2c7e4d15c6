package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.status.StatusCache;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All OperatingSystemProfiles of the management cluster. A tenant's sync gets only its {@link TenantProfileCatalog}. */
public final class ProfileCache extends StatusCache<StoredProfile> implements ProfileLister {
    /** Must not block. */
    public interface ProfileChangeListener {
        /**
         * A profile was created, changed or deleted.
         *
         * @param before null if it is new
         * @param after null if it was deleted
         * @param content whether its content changed, not only its status
         */
        void onProfileChanged(
                ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, boolean content);
    }

    private final Predicate<String> offered;
    private final ProfileContentInterner contents;

    /**
     * @param namespace the only one to watch; empty for all
     * @param offered whether a namespace shares its profiles with granted tenants
     * @param keepsStatus whether the CustomResourceDefinition has a status subresource
     * @param stored also notified of all changes
     */
    public ProfileCache(
            String namespace,
            Predicate<String> offered,
            BooleanSupplier keepsStatus,
            ProfileChangeListener changes,
            StoredObjectListener<StoredProfile> stored,
            ListWatchListener listener,
            RuntimeContext around) {
        this(namespace, offered, keepsStatus, changes, stored, listener, around, new ProfileContentInterner());
    }

    private ProfileCache(
            String namespace,
            Predicate<String> offered,
            BooleanSupplier keepsStatus,
            ProfileChangeListener changes,
            StoredObjectListener<StoredProfile> stored,
            ListWatchListener listener,
            RuntimeContext around,
            ProfileContentInterner contents) {
        super(
                Resource.OPERATING_SYSTEM_PROFILES,
                namespace,
                keepsStatus,
                decoder(contents),
                StoredProfile::status,
                StoredProfile::statusPlace,
                (key, before, after, origin) -> changes.onProfileChanged(
                        key, before, after, before == null || after == null || !before.hasSameContent(after)),
                stored,
                listener,
                around);
        this.offered = offered;
        this.contents = contents;
    }

    private static ObjectDecoder<StoredProfile> decoder(ProfileContentInterner contents) {
        return ManagementInformer.reducing(
                object -> StoredProfile.of(object, contents),
                (metadata, why, earlier) -> StoredProfile.of(metadata, contents)
                        .unreadable(why, earlier == null ? null : earlier.status()));
    }

    /** For profiles of another cluster, which share their content with equal ones. */
    ObjectDecoder<StoredProfile> decoder() {
        return decoder(contents);
    }

    public Collection<StoredProfile> all() {
        return watch.all();
    }

    @Override
    public Map<String, StoredProfile> in(String namespace) {
        return watch.in(namespace);
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return offered.test(namespace);
    }

    /** Caches the response to the hub's own write and returns it reduced. */
    public @Nullable StoredProfile cacheResponse(byte[] answer) throws IOException {
        return watch.putWritten(answer);
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
