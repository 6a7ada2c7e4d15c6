package io.osmhub.tenancy.catalog;

import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts the users of each profile over all OperatingSystemConfigs, and writes them into its status. */
final class ProfileUsageCounter {
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(30);

    private final ProfileCache profileCache;
    private final ConfigCache configCache;
    private final ProfileReporter profileReporter;
    private final RuntimeContext runtimeContext;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean stopped;

    ProfileUsageCounter(
            ProfileCache profileCache,
            ConfigCache configCache,
            ProfileReporter profileReporter,
            RuntimeContext runtimeContext) {
        this.profileCache = profileCache;
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
        Map<ObjectKey, Set<String>> tenants = new HashMap<>();
        Map<ObjectKey, Integer> machineDeployments = new HashMap<>();
        for (StoredConfig config : configCache.configs()) {
            OperatingSystemConfigStatus status = config.status();
            OperatingSystemConfigStatus.RenderSource source = status == null ? null : status.source();
            OperatingSystemConfigStatus.ProfileSource profile = source == null ? null : source.profile();
            if (profile != null && profile.name() != null) {
                ObjectKey key = new ObjectKey(Objects.requireNonNullElse(profile.namespace(), ""), profile.name());
                tenants.computeIfAbsent(key, first -> new HashSet<>()).add(config.namespace());
                machineDeployments.merge(key, 1, Integer::sum);
            }
        }
        for (StoredProfile profile : profileCache.all()) {
            OperatingSystemProfileStatus before = profile.status();
            ObjectKey key = new ObjectKey(profile.namespace(), profile.name());
            Users now = new Users(tenants.getOrDefault(key, Set.of()).size(), machineDeployments.getOrDefault(key, 0));
            // An unverified profile is verified first.
            if (before != null && !now.equals(before.usedBy()) && profileReporter.serves(profile.namespace())) {
                profileReporter.writeStatus(
                        profile,
                        new OperatingSystemProfileStatus(
                                before.observedGeneration(),
                                before.conditions(),
                                before.contentHash(),
                                now,
                                before.findings(),
                                before.problems()));
            }
        }
    }
}
