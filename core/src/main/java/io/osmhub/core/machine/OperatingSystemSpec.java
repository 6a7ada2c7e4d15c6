package io.osmhub.core.machine;

import io.osmhub.core.model.Sensitive;
import java.util.List;

/** Decoded {@code operatingSystemSpec}: what a MachineDeployment says about its operating system. */
public sealed interface OperatingSystemSpec {
    List<String> WITH_DIST_UPGRADE = List.of("ubuntu", "amzn2", "rockylinux");

    record DistUpgrade(boolean distUpgradeOnBoot) implements OperatingSystemSpec {}

    record Flatcar(
            boolean disableAutoUpdate,
            boolean disableLocksmithD,
            boolean disableUpdateEngine,
            String provisioningUtility)
            implements OperatingSystemSpec {}

    record Rhel(
            boolean distUpgradeOnBoot,
            String subscriptionManagerUser,
            Sensitive subscriptionManagerPassword,
            Sensitive rhsmOfflineToken,
            boolean attachSubscription,
            boolean useSatelliteServer,
            String satelliteServer,
            String organizationName,
            Sensitive activationKey)
            implements OperatingSystemSpec {}
}
