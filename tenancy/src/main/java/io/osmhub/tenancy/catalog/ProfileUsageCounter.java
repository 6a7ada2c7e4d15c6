package io.osmhub.tenancy.catalog;

import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Counts the users of each profile over all OperatingSystemConfigs, and writes them into its status; then reports extensions. */
public final class ProfileUsageCounter {
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(30);

    private final ConfigCache configCache;
    private final ProfileReporter profileReporter;
    private final Runnable extensionReport;
    private final RuntimeContext runtimeContext;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean stopped;

    /** @param extensionReport run after each count; may block */
    public ProfileUsageCounter(
            ConfigCache configCache,
            ProfileReporter profileReporter,
            Runnable extensionReport,
            RuntimeContext runtimeContext) {
        this.extensionReport = extensionReport;
        this.configCache = configCache;
        this.profileReporter = profileReporter;
        this.runtimeContext = runtimeContext;
    }

    /** An OperatingSystemConfig changed: counts again after a delay. */
    void onUsersChanged() {
        if (scheduled.compareAndSet(false, true)) {
            runtimeContext.scheduler().schedule(BETWEEN_COUNTS, () -> runtimeContext
                    .blockingExecutor()
                    .execute(this::count));
        }
    }

    void stop() {
        stopped = true;
    }

    private void count() {
        scheduled.set(false);
        if (stopped) {
            return;
        }
        Map<ObjectKey, Users> users = configCache.countUsers(source -> {
            OperatingSystemConfigStatus.ProfileSource profile = source.profile();
            return profile == null || profile.name() == null
                    ? Stream.empty()
                    : Stream.of(new ObjectKey(Objects.requireNonNullElse(profile.namespace(), ""), profile.name()));
        });
        for (StoredProfile profile : profileReporter.profileCache().all()) {
            OperatingSystemProfileStatus before = profile.status();
            ObjectKey key = new ObjectKey(profile.namespace(), profile.name());
            Users now = users.getOrDefault(key, new Users(0, 0));
            // An unverified profile is verified first.
            if (before != null && !now.equals(before.usedBy()) && profileReporter.serves(profile.namespace())) {
                profileReporter.writeStatus(profile, before.withUsers(now));
            }
        }
        extensionReport.run();
    }
}
