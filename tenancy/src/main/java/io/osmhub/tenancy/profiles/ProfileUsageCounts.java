package io.osmhub.tenancy.profiles;

import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Users of each profile, counted over all OperatingSystemConfigs. */
public final class ProfileUsageCounts {
    private static final Users NONE = new Users(0, 0);

    private final Map<ObjectKey, Users> byProfile;

    private ProfileUsageCounts(Map<ObjectKey, Users> byProfile) {
        this.byProfile = byProfile;
    }

    public static ProfileUsageCounts of(Collection<StoredConfig> configs) {
        Map<ObjectKey, Set<String>> tenants = new HashMap<>();
        Map<ObjectKey, Integer> machineDeployments = new HashMap<>();
        for (StoredConfig config : configs) {
            OperatingSystemConfigStatus status = config.status();
            OperatingSystemConfigStatus.RenderSource source = status == null ? null : status.source();
            OperatingSystemConfigStatus.ProfileSource profile = source == null ? null : source.profile();
            if (profile != null && profile.name() != null) {
                String namespace = Objects.requireNonNullElse(profile.namespace(), "");
                ObjectKey key = new ObjectKey(namespace, profile.name());
                tenants.computeIfAbsent(key, first -> new HashSet<>()).add(config.namespace());
                machineDeployments.merge(key, 1, Integer::sum);
            }
        }
        Map<ObjectKey, Users> users = new HashMap<>();
        machineDeployments.forEach((key, count) ->
                users.put(key, new Users(tenants.getOrDefault(key, Set.of()).size(), count)));
        return new ProfileUsageCounts(users);
    }

    public Users of(ObjectKey profile) {
        return byProfile.getOrDefault(profile, NONE);
    }
}
