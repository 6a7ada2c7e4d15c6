package io.osmhub.deploy.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a configuration is read from.
 *
 * @param file of {@code --config}; null for the one of {@code OSM_HUB_CONFIG}, or the usual one if it is there
 * @param usualFile where the file is when nobody names one
 * @param options of the command line that stand for a key, in their order
 */
public record ConfigurationSources(
        @Nullable String file, Path usualFile, Map<String, String> environment, List<Option> options) {
    /** Where the image and the manifests put the file. */
    public static final Path USUAL_FILE = Path.of("/etc/osm-hub/hub.yaml");

    public ConfigurationSources {
        environment = Map.copyOf(environment);
        options = List.copyOf(options);
    }

    /**
     * One option of the command line.
     *
     * @param name {@code --set}, or one that stands for a key, for example {@code --log-level}
     * @param text its value, for {@code --set} with the key
     */
    public record Option(String name, String text) {}
}
