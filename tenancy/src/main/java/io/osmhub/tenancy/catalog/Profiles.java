package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.status.StatusKeeper;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Past;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All OperatingSystemProfiles of the management cluster. No tenant's sync gets this: it gets {@link TenantProfiles}. */
public final class Profiles implements ProfileShelf, StatusKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Profiles.class);
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
    private final BooleanSupplier keepsStatus;
    private final ManagementWatch<StoredProfile> watch;

    /**
     * Watches nothing yet.
     *
     * @param namespace the only one to watch; empty for all
     * @param offered whether a namespace offers its profiles to tenants that are granted it
     * @param keepsStatus whether the CustomResourceDefinition has a status
     */
    public Profiles(
            String namespace,
            Predicate<String> offered,
            BooleanSupplier keepsStatus,
            Changes changes,
            WatchListener listener,
            Surroundings around) {
        this(namespace, offered, keepsStatus, changes, StoredListener.nobody(), listener, around);
    }

    /** @param stored hears of everything too */
    public Profiles(
            String namespace,
            Predicate<String> offered,
            BooleanSupplier keepsStatus,
            Changes changes,
            StoredListener<StoredProfile> stored,
            WatchListener listener,
            Surroundings around) {
        this.offered = offered;
        this.keepsStatus = keepsStatus;
        this.watch = new ManagementWatch<>(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILES, namespace),
                object -> StoredProfile.of(object, contents),
                (key, before, after, origin) -> changes.profileChanged(
                        key, before, after, before == null || after == null || !before.saysTheSame(after)),
                stored,
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

    /** What the API server still knows of the past. */
    public Past<StoredProfile> past(KubeApi management) {
        return watch.past(management);
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

    /** Takes in the answer to a write of the hub's own; what is remembered of it. */
    public @Nullable StoredProfile taken(byte[] answer) throws IOException {
        return watch.written(answer);
    }

    @Override
    public Resource resource() {
        return Resource.OPERATING_SYSTEM_PROFILES;
    }

    @Override
    public boolean keepsStatus() {
        return keepsStatus.getAsBoolean();
    }

    @Override
    public @Nullable JsonNode stored(String namespace, String name) {
        StoredProfile profile = in(namespace).get(name);
        if (profile == null) {
            return null;
        }
        return profile.status() == null ? WireJson.object() : WireJson.tree(profile.status());
    }

    @Override
    public void written(byte[] answer) {
        try {
            watch.written(answer);
        } catch (IOException e) {
            LOG.warn("the management cluster answered a status with something else than the object");
        }
    }
}
