package io.osmhub.deploy.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sources of a configuration.
 *
 * @param file of {@code --config}; null for {@code OSM_HUB_CONFIG}, or the default file if it exists
 * @param usualFile the default location
 * @param options command line options for keys, in their order
 */
public record ConfigurationSources(
        @Nullable String file, Path usualFile, Map<String, String> environment, List<Option> options) {
    /** Location of the file in the image and the manifests. */
    public static final Path USUAL_FILE = Path.of("/etc/osm-hub/hub.yaml");

    public ConfigurationSources {
        environment = Map.copyOf(environment);
        options = List.copyOf(options);
    }

    /**
     * One command line option.
     *
     * @param name {@code --set}, or the option of a key, for example {@code --log-level}
     * @param text its value; for {@code --set} with the key
     */
    public record Option(String name, String text) {}
}
