package io.osmhub.deploy.config;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.problem.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The values of the variables {@code OSM_HUB_*}. */
final class EnvironmentLayer {
    private static final String PREFIX = "OSM_HUB_";
    private static final Set<String> OTHER_USES =
            Set.of("OSM_HUB_CONFIG", "OSM_HUB_SERVER", "OSM_HUB_TOKEN_FILE", "OSM_HUB_SERVICE_ACCOUNT");
    /** What Kubernetes adds to every pod for Services {@code osm-hub} and {@code osm-hub-*} in its namespace. No key ends so. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "OSM_HUB(_[A-Z0-9_]+)?_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final Map<String, ConfigurationKey<?>> BY_VARIABLE = ConfigurationKeys.ALL.stream()
            .filter(key -> !key.variable().isEmpty())
            .collect(Collectors.toUnmodifiableMap(ConfigurationKey::variable, key -> key));

    private EnvironmentLayer() {}

    static void read(Map<String, String> environment, ConfigurationValues values, ConfigurationErrors mistakes) {
        new TreeMap<>(environment).forEach((variable, text) -> {
            ConfigurationKey<?> key = BY_VARIABLE.get(variable);
            if (key != null) {
                take(key, variable, text, values, mistakes);
            } else if (variable.startsWith(PREFIX)
                    && !OTHER_USES.contains(variable)
                    && !SERVICE_LINK.matcher(variable).matches()) {
                mistakes.add(
                        ConfigurationErrors.ENVIRONMENT,
                        SourcePosition.NONE,
                        variable,
                        "unknown variable",
                        cure(variable));
            }
        });
    }

    private static <T> void take(
            ConfigurationKey<T> key,
            String variable,
            String text,
            ConfigurationValues values,
            ConfigurationErrors mistakes) {
        ValueOrigin origin = new ValueOrigin.Environment(variable);
        T value = key.form().read(text, key.path(), mistakes.of(origin));
        if (value != null) {
            values.set(key, value, origin);
        }
    }

    private static String cure(String variable) {
        for (ConfigurationKey<?> key : List.of(ConfigurationKeys.DEFAULTS, ConfigurationKeys.EXCEPTIONS)) {
            String name = PREFIX
                    + key.path()
                            .replace('.', '_')
                            .replaceAll("([a-z])([A-Z])", "$1_$2")
                            .toUpperCase(Locale.ROOT);
            if (variable.startsWith(name)) {
                return key.path() + " can only be set in the file";
            }
        }
        return SpellingSuggestion.findClosest(
                        variable, BY_VARIABLE.keySet().stream().sorted().toList())
                .map(near -> "did you mean " + near + "?")
                .orElse("unset it; list all with hub explain config");
    }
}
