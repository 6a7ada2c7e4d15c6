package io.osmhub.tenancy.settings;

import io.osmhub.core.settings.SettingsLayer;
import java.util.Map;

/**
 * What the operator of a drop-in says in place of a WorkerCluster.
 *
 * @param flags read from the peer's flags
 * @param cloudEnvironment variables of the process that the in-tree cloud configs take credentials from, by their name
 */
public record OperatorSettings(SettingsLayer flags, Map<String, String> cloudEnvironment) {
    public OperatorSettings {
        cloudEnvironment = Map.copyOf(cloudEnvironment);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "OperatorSettings[...]";
    }
}
