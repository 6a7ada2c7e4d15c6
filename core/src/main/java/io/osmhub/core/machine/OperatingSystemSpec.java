package io.osmhub.core.machine;

import io.osmhub.core.model.Sensitive;
import java.util.List;

/** Decoded {@code operatingSystemSpec}: a MachineDeployment's settings of its operating system. */
public sealed interface OperatingSystemSpec {
    /** Values of {@code operatingSystem} that machine-controller accepts; others need another controller. */
    List<String> OF_MACHINE_CONTROLLER = List.of("ubuntu", "amzn2", "rockylinux", "flatcar", "rhel");

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
