package io.osmhub.core.render;

import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Kubelet settings from the annotations of a MachineDeployment.
 *
 * @param values by OSM's names, without those that have no annotation: a map for reserved resources and eviction, an Integer for
 *     counts and percentages, a Long for ages in nanoseconds, else the text
 */
public record KubeletSettings(SortedMap<String, Object> values) {
    private static final int MOST_MISTAKES = 20;
    private static final String RESERVED = "cpu=200m,memory=300Mi";

    /** All settings, each with an example. */
    private static final SortedMap<String, String> EXAMPLES = new TreeMap<>(Map.of(
            "KubeReserved", RESERVED,
            "SystemReserved", RESERVED,
            "EvictionHard", "memory.available<100Mi,nodefs.available<10%",
            "MaxPods", "110",
            "ContainerLogMaxSize", "100Mi",
            "ContainerLogMaxFiles", "5",
            "ImageGCHighThresholdPercent", "85",
            "ImageGCLowThresholdPercent", "80",
            "ImageMinimumGCAge", "2m30s",
            "ImageMaximumGCAge", "24h"));

    public KubeletSettings {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** Reads the annotations; adds a finding for each invalid one. */
    static KubeletSettings read(MachineDeployment machineDeployment, List<Problem> findings) {
        SortedMap<String, Object> values = new TreeMap<>();
        keys(machineDeployment).forEach((name, key) -> {
            String text = machineDeployment.annotation(key);
            try {
                values.put(name, read(name, text));
            } catch (GoCallException e) {
                String expected = name.endsWith("Age") ? "a duration" : "a whole number";
                findings.add(new Problem(
                        Reason.KubeletAnnotationInvalid,
                        machineDeployment.describe(),
                        "annotation " + key,
                        "\"" + text + "\" is not " + expected + " (" + GoString.text(e.text()) + ")",
                        "write for example " + EXAMPLES.get(name)));
            }
        });
        return new KubeletSettings(values);
    }

    private static Object read(String name, String text) throws GoCallException {
        return switch (name) {
            case "KubeReserved", "SystemReserved", "EvictionHard" -> pairs(text, delimiter(name));
            case "MaxPods", "ImageGCHighThresholdPercent", "ImageGCLowThresholdPercent" ->
                Integer.valueOf((int) GoNumbers.parseInt(GoString.bytes(text), 10, 32));
            case "ImageMinimumGCAge", "ImageMaximumGCAge" -> Long.valueOf(GoDuration.parse(GoString.bytes(text)));
            default -> text;
        };
    }

    /** Items split at the first delimiter; an item without one is dropped, as in OSM. */
    private static SortedMap<String, String> pairs(String text, char delimiter) {
        SortedMap<String, String> pairs = new TreeMap<>();
        for (String item : text.split(",", -1)) {
            int at = item.indexOf(delimiter);
            if (at >= 0) {
                pairs.put(item.substring(0, at), item.substring(at + 1));
            }
        }
        return pairs;
    }

    private static char delimiter(String name) {
        return name.equals("EvictionHard") ? '<' : '=';
    }

    /** The annotations by setting. As in OSM, only the prefix counts, and the setting's name follows the first slash. */
    private static SortedMap<String, String> keys(MachineDeployment machineDeployment) {
        SortedMap<String, String> keys = new TreeMap<>();
        for (String key : MachineDeployment.kubeletSettings(machineDeployment.annotations())
                .keySet()) {
            int slash = key.indexOf('/');
            if (slash >= 0) {
                keys.put(key.substring(slash + 1), key);
            }
        }
        return keys;
    }

    /**
     * Finds annotations without effect, and values with which no kubelet starts. They do not prevent rendering: a profile may ignore or
     * replace the value.
     */
    public static List<Problem> findMistakes(MachineDeployment machineDeployment) {
        SortedMap<String, String> keys = keys(machineDeployment);
        List<Problem> findings = new ArrayList<>();
        keys.forEach((name, key) -> {
            String example = EXAMPLES.get(name);
            if (example == null) {
                String near = FindingsCollector.suggestClosest(name, EXAMPLES.keySet());
                String known = "known: " + String.join(", ", EXAMPLES.keySet());
                String fix = near.isEmpty() ? known : near + " Rename it";
                findings.add(unusable(machineDeployment, key, "is not a kubelet setting", fix));
                return;
            }
            findErrors(name, machineDeployment.annotation(key)).stream()
                    .map(error -> unusable(machineDeployment, key, error, "write for example " + example))
                    .forEach(findings::add);
        });
        if (findings.isEmpty()) {
            KubeletConfigRules.findConflicts(field -> {
                        String name = field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
                        String key = keys.get(name);
                        return key == null ? "" : machineDeployment.annotation(key);
                    })
                    .forEach(conflict -> findings.add(unusable(machineDeployment, keys.lastKey(), conflict, "")));
        }
        machineDeployment.templateAnnotations().forEach((key, value) -> {
            if (!value.equals(machineDeployment.annotation(key))) {
                findings.add(unusable(
                        machineDeployment,
                        key,
                        "has no effect below spec.template",
                        "move it to metadata.annotations of the MachineDeployment"));
            }
        });
        return findings;
    }

    private static Problem unusable(MachineDeployment machineDeployment, String key, String what, String fix) {
        return new Problem(
                Reason.KubeletAnnotationUnusable, machineDeployment.describe(), "annotation " + key, what, fix);
    }

    private static List<String> findErrors(String name, String text) {
        String field = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
        List<String> errors = new ArrayList<>();
        if (EXAMPLES.getOrDefault(name, "").indexOf(delimiter(name)) < 0) {
            String error = findError(field, text);
            return error == null ? List.of() : List.of(error);
        }
        Set<String> seen = new HashSet<>();
        for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int at = item.indexOf(delimiter(name));
            String label = at < 0 ? item : item.substring(0, at);
            String error = at < 0
                    ? "has no " + delimiter(name) + " and is ignored"
                    : seen.add(label) ? findError(field + "{}", label) : "is given twice, the last one counts";
            error = error == null ? findError(field + "[]", item.substring(at + 1)) : error;
            if (error != null && errors.size() < MOST_MISTAKES) {
                errors.add(KubeletConfigRules.quote(MessageFormatter.quote(label)) + " " + error);
            }
        }
        return errors;
    }

    /** The profile decides about quotes. */
    private static @Nullable String findError(String rule, String text) {
        return KubeletConfigRules.findError(rule, text) == null
                ? null
                : KubeletConfigRules.findError(rule, KubeletConfigRules.quote(text));
    }
}
