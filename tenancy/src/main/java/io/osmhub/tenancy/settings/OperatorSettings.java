package io.osmhub.tenancy.settings;

import io.osmhub.core.settings.SettingsLayer;
import java.util.Map;

/**
 * The operator's settings in drop-in mode, which replace a WorkerCluster's.
 *
 * @param flags OSM's command-line flags
 * @param cloudEnvironment environment variables that in-tree cloud configs take credentials from, by name
 */
public record OperatorSettings(SettingsLayer flags, Map<String, String> cloudEnvironment) {
    public OperatorSettings {
        cloudEnvironment = Map.copyOf(cloudEnvironment);
    }

    /** Omits the credentials. */
    @Override
    public String toString() {
        return "OperatorSettings[...]";
    }
}
