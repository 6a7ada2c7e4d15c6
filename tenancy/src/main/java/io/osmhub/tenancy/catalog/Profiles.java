package io.osmhub.tenancy.catalog;

import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All OperatingSystemProfiles of the management cluster. No tenant's sync gets this: it gets {@link TenantProfiles}. */
public final class Profiles implements ProfileShelf {
    /** Hears of changes; hands over and returns. */
    public interface Changes {
        /**
         * A profile is there, is another, or is gone.
         *
         * @param before null when it is new
         * @param after null when it is gone
         * @param content whether those who use it get something else now; its status alone changed else
         */
        void profileChanged(
                ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, boolean content);
    }

    private final ProfileContents contents = new ProfileContents();
    private final Predicate<String> offered;
    private final ManagementWatch<StoredProfile> watch;

    /**
     * Watches nothing yet.
     *
     * @param namespace the only one to watch; empty for all
     * @param offered whether a namespace offers its profiles to tenants that are granted it
     */
    public Profiles(
            String namespace, Predicate<String> offered, Changes changes, WatchListener listener, Surroundings around) {
        this.offered = offered;
        this.watch = new ManagementWatch<>(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILES, namespace),
                object -> StoredProfile.of(object, contents),
                (key, before, after, origin) -> changes.profileChanged(
                        key, before, after, before == null || after == null || !before.saysTheSame(after)),
                listener,
                around);
    }

    public void start(KubeApi management) {
        watch.start(management);
    }

    public void stop() {
        watch.stop();
    }

    public boolean isSynced() {
        return watch.isSynced();
    }

    public Collection<StoredProfile> all() {
        return watch.all();
    }

    @Override
    public Map<String, StoredProfile> in(String namespace) {
        return watch.in(namespace);
    }

    @Override
    public boolean offers(String namespace) {
        return offered.test(namespace);
    }

    /** Takes in the answer to a write of the hub's own. */
    public @Nullable StoredProfile written(byte[] answer) throws IOException {
        return watch.written(answer);
    }
}
