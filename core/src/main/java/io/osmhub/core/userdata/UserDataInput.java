package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig;

/**
 * The input of one user-data document.
 *
 * @param config the half of the OSC for the document
 * @param utility {@code cloud-init} or {@code ignition}, as stored in the OSC
 * @param bootstrap whether the machine starts with the document; else it fetches it in its second phase
 */
public record UserDataInput(
        OperatingSystemConfig.Config config,
        String utility,
        String osName,
        String cloudProvider,
        String machineDeploymentName,
        boolean distUpgradeOnBoot,
        boolean bootstrap) {
    /** Whether the document sets the host name. On AWS the node must keep the name from the cloud. */
    boolean setsHostname() {
        return bootstrap && !cloudProvider.equals("aws");
    }

    /** Path of a part of the config in the OSC, for findings: {@code spec.bootstrapConfig.files[3]}. */
    String fieldPath(String part) {
        return (bootstrap ? "spec.bootstrapConfig." : "spec.provisioningConfig.") + part;
    }

    /** An upper estimate of a document's size, so that its buffer does not grow. */
    int estimatedSize() {
        int size = 1024;
        for (OperatingSystemConfig.File file : config.files()) {
            int data = file.data().length();
            // Base64 turns three characters into four; indentation and escapes add less.
            size += data + data / 3 + file.path().length() + 128;
        }
        for (var unit : config.units()) {
            String content = unit.content();
            size += (content == null ? 0 : content.length() + (content.length() >> 1)) + 256;
        }
        return size;
    }
}
