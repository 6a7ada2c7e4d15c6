package io.osmhub.deploy.config;

import io.osmhub.core.document.Position;
import io.osmhub.core.problem.Suggestion;
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
    private static final Set<String> OTHER_USES = Set.of("OSM_HUB_CONFIG", "OSM_HUB_SERVER", "OSM_HUB_TOKEN_FILE");
    /**
     * What Kubernetes puts into every pod for Services named {@code osm-hub} and {@code osm-hub-*} of its namespace. No key ends
     * like this.
     */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "OSM_HUB(_[A-Z0-9_]+)?_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final Map<String, Key<?>> BY_VARIABLE = Keys.ALL.stream()
            .filter(key -> !key.variable().isEmpty())
            .collect(Collectors.toUnmodifiableMap(Key::variable, key -> key));

    private EnvironmentLayer() {}

    static void read(Map<String, String> environment, Values values, ConfigurationMistakes mistakes) {
        new TreeMap<>(environment).forEach((variable, text) -> {
            Key<?> key = BY_VARIABLE.get(variable);
            if (key != null) {
                take(key, variable, text, values, mistakes);
            } else if (variable.startsWith(PREFIX)
                    && !OTHER_USES.contains(variable)
                    && !SERVICE_LINK.matcher(variable).matches()) {
                mistakes.add(
                        ConfigurationMistakes.ENVIRONMENT, Position.NONE, variable, "unknown variable", cure(variable));
            }
        });
    }

    private static <T> void take(
            Key<T> key, String variable, String text, Values values, ConfigurationMistakes mistakes) {
        Origin origin = new Origin.Environment(variable);
        T value = key.form().read(text, key.path(), mistakes.of(origin));
        if (value != null) {
            values.set(key, value, origin);
        }
    }

    private static String cure(String variable) {
        for (Key<?> key : List.of(Keys.DEFAULTS, Keys.EXCEPTIONS)) {
            String name = PREFIX
                    + key.path()
                            .replace('.', '_')
                            .replaceAll("([a-z])([A-Z])", "$1_$2")
                            .toUpperCase(Locale.ROOT);
            if (variable.startsWith(name)) {
                return key.path() + " stands only in the file";
            }
        }
        return Suggestion.closest(
                        variable, BY_VARIABLE.keySet().stream().sorted().toList())
                .map(near -> "did you mean " + near + "?")
                .orElse("unset it; hub explain config lists all");
    }
}
