package io.osmhub.core.osc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A rendered configuration with its identity and annotations. */
public record OperatingSystemConfig(String namespace, String name, Map<String, String> annotations, Spec spec) {
    public OperatingSystemConfig {
        annotations = Map.copyOf(annotations);
    }

    /**
     * {@code spec} of the object.
     *
     * @param cloudProviderSpec the provider's own settings as unchanged JSON text; null if the MachineDeployment has none
     */
    public record Spec(
            String osName,
            String osVersion,
            String cloudProvider,
            @Nullable String cloudProviderSpec,
            String provisioningUtility,
            Config bootstrapConfig,
            Config provisioningConfig) {
        /** Omits the provider's settings, which may hold credentials. */
        @Override
        public String toString() {
            return "Spec[" + osName + ", " + cloudProvider + ", " + bootstrapConfig + ", " + provisioningConfig + "]";
        }
    }

    /** One of the two rendered configurations. {@code modules} is null when the profile has none. */
    public record Config(
            List<SystemdUnit> units,
            List<File> files,
            List<String> userSshKeys,
            @Nullable CloudInitModules modules) {
        public Config {
            units = List.copyOf(units);
            files = List.copyOf(files);
            userSshKeys = List.copyOf(userSshKeys);
        }
    }

    /**
     * A rendered file.
     *
     * @param permissions decimal number whose digits are the octal mode, never left out
     * @param encoding empty if left out
     */
    public record File(String path, int permissions, String data, String encoding) {
        /** Omits the data, which holds credentials in a rendering for secrets. */
        @Override
        public String toString() {
            return "File[" + path + ", " + data.length() + " characters]";
        }
    }
}
