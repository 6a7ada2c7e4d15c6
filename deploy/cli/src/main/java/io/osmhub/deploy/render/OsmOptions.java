package io.osmhub.deploy.render;

import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.config.InputError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings from OSM's command line. */
final class OsmOptions {
    /** Source of a flag in messages. */
    static final String OPTION = "--peer-flag";

    private static final String KUBERNETES_CA = "kubernetes-ca-bundle";
    private static final String HOST_CA = "host-ca-bundle";
    /** Boolean flags, which need no value. */
    private static final Set<String> SWITCHES =
            Set.of("external-cloud-provider", "device-ownership-from-security-context");

    private final RenderInputs inputs;

    OsmOptions(RenderInputs inputs) {
        this.inputs = inputs;
    }

    /** A settings layer from {@code NAME=VALUE} arguments; invalid ones are omitted. */
    SettingsLayer flags(List<String> texts) {
        List<String> known = new ArrayList<>(OsmFlags.NAMES);
        known.addAll(List.of(KUBERNETES_CA, HOST_CA));
        Map<String, List<String>> flags = new LinkedHashMap<>();
        for (String text : texts) {
            String bare = text.startsWith("--") ? text.substring(2) : text.startsWith("-") ? text.substring(1) : text;
            int equals = bare.indexOf('=');
            String name = equals < 0 ? bare : bare.substring(0, equals);
            if (!known.contains(name)) {
                inputs.add(new InputError(
                        OPTION,
                        "-" + name,
                        "unknown tenant flag",
                        SpellingSuggestion.findClosest(name, known)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("use one of " + String.join(", ", known))));
            } else if (equals < 0 && !SWITCHES.contains(name)) {
                inputs.add(new InputError(OPTION, "-" + name, "requires a value", "use " + name + "=VALUE"));
            } else {
                flags.computeIfAbsent(name, flag -> new ArrayList<>())
                        .add(equals < 0 ? "true" : bare.substring(equals + 1));
            }
        }
        String kubernetesCa = file(flags.remove(KUBERNETES_CA));
        String hostCa = file(flags.remove(HOST_CA));
        try {
            return OsmFlags.read(flags, kubernetesCa, hostCa);
        } catch (TenantMistake e) {
            inputs.add(e.findings(), OPTION);
            return SettingsLayer.EMPTY;
        }
    }

    /** The content of the file named by a flag, read as OSM does. */
    private @Nullable String file(@Nullable List<String> values) {
        return values == null || values.getLast().isEmpty() ? null : inputs.text(values.getLast());
    }
}
