package io.osmhub.core.render;

import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Kubelet settings from the annotations of a MachineDeployment; null without an annotation, but not for an empty one.
 *
 * @param imageMinimumGcAge nanoseconds, like {@code imageMaximumGcAge}
 */
public record KubeletSettings(
        @Nullable SortedMap<String, String> kubeReserved,
        @Nullable SortedMap<String, String> systemReserved,
        @Nullable SortedMap<String, String> evictionHard,
        @Nullable Integer maxPods,
        @Nullable String containerLogMaxSize,
        @Nullable String containerLogMaxFiles,
        @Nullable Integer imageGcHighThresholdPercent,
        @Nullable Integer imageGcLowThresholdPercent,
        @Nullable Long imageMinimumGcAge,
        @Nullable Long imageMaximumGcAge) {
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

    /** Reads the annotations; adds a finding for each invalid one. */
    static KubeletSettings read(MachineDeployment machineDeployment, List<ProblemFinding> findings) {
        Reader reader = new Reader(machineDeployment, findings);
        return new KubeletSettings(
                reader.pairs("KubeReserved"),
                reader.pairs("SystemReserved"),
                reader.pairs("EvictionHard"),
                reader.int32("MaxPods"),
                reader.text("ContainerLogMaxSize"),
                reader.text("ContainerLogMaxFiles"),
                reader.int32("ImageGCHighThresholdPercent"),
                reader.int32("ImageGCLowThresholdPercent"),
                reader.duration("ImageMinimumGCAge"),
                reader.duration("ImageMaximumGCAge"));
    }

    /**
     * Finds annotations without effect, and values with which no kubelet starts. They do not prevent rendering: a profile may ignore or
     * replace the value.
     */
    public static List<ProblemFinding> findMistakes(MachineDeployment machineDeployment) {
        Reader reader = new Reader(machineDeployment, new ArrayList<>());
        reader.keys.forEach(reader::check);
        if (reader.findings.isEmpty()) {
            KubeletConfigRules.findConflicts(reader::textOfField)
                    .forEach(conflict -> reader.add(reader.keys.lastKey(), conflict, ""));
        }
        machineDeployment.templateAnnotations().forEach((key, value) -> {
            if (!value.equals(machineDeployment.annotation(key))) {
                reader.add(
                        key,
                        "has no effect below spec.template",
                        "move it to metadata.annotations of the MachineDeployment");
            }
        });
        return reader.findings;
    }

    private static final class Reader {
        private final String object;
        private final List<ProblemFinding> findings;
        private final SortedMap<String, String> keys = new TreeMap<>();
        private final Map<String, String> annotations;

        Reader(MachineDeployment machineDeployment, List<ProblemFinding> findings) {
            this.object = machineDeployment.describe();
            this.findings = findings;
            this.annotations = machineDeployment.annotations();
            // As in OSM, only the prefix counts, and the setting's name follows the first slash.
            for (String key : MachineDeployment.kubeletSettings(machineDeployment.annotations())
                    .keySet()) {
                int slash = key.indexOf('/');
                if (slash >= 0) {
                    keys.put(key.substring(slash + 1), key);
                }
            }
        }

        @Nullable String text(String name) {
            String key = keys.get(name);
            return key == null ? null : annotations.get(key);
        }

        /** Items split at the first delimiter; an item without one is dropped, as in OSM. */
        @Nullable SortedMap<String, String> pairs(String name) {
            String text = text(name);
            if (text == null) {
                return null;
            }
            char delimiter = delimiter(name);
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

        @Nullable Integer int32(String name) {
            String text = text(name);
            if (text == null) {
                return null;
            }
            try {
                return (int) GoNumbers.parseInt(GoString.bytes(text), 10, 32);
            } catch (GoCallException e) {
                invalid(name, text, "a whole number", e);
                return null;
            }
        }

        @Nullable Long duration(String name) {
            String text = text(name);
            if (text == null) {
                return null;
            }
            try {
                return GoDuration.parse(GoString.bytes(text));
            } catch (GoCallException e) {
                invalid(name, text, "a duration", e);
                return null;
            }
        }

        private void invalid(String name, String text, String expected, GoCallException cause) {
            findings.add(new ProblemFinding(
                    "KubeletAnnotationInvalid",
                    object,
                    "annotation " + keys.get(name),
                    "\"" + text + "\" is not " + expected + " (" + GoString.text(cause.text()) + ")",
                    "write for example " + EXAMPLES.get(name)));
        }

        /** The text of a setting by its field in the kubelet's configuration; empty if it is not set. */
        String textOfField(String field) {
            return Objects.requireNonNullElse(
                    text(field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1)), "");
        }

        void check(String name, String key) {
            String text = Objects.requireNonNull(annotations.get(key));
            String example = EXAMPLES.get(name);
            if (example == null) {
                String near = FindingsCollector.suggestClosest(name, EXAMPLES.keySet());
                String known = "known: " + String.join(", ", EXAMPLES.keySet());
                add(key, "is not a kubelet setting", near.isEmpty() ? known : near + " Rename it");
                return;
            }
            String field = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
            char delimiter = delimiter(name);
            if (example.indexOf(delimiter) < 0) {
                addUnlessNull(key, "", findError(field, text), example);
                return;
            }
            Set<String> seen = new HashSet<>();
            for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                int at = item.indexOf(delimiter);
                String label = at < 0 ? item : item.substring(0, at);
                String error = at < 0
                        ? "has no " + delimiter + " and is ignored"
                        : seen.add(label) ? findError(field + "{}", label) : "is given twice, the last one counts";
                error = error == null ? findError(field + "[]", item.substring(at + 1)) : error;
                addUnlessNull(key, KubeletConfigRules.quote(MessageFormatter.quote(label)) + " ", error, example);
            }
        }

        /** The profile decides about quotes. */
        private static @Nullable String findError(String rule, String text) {
            return KubeletConfigRules.findError(rule, text) == null
                    ? null
                    : KubeletConfigRules.findError(rule, KubeletConfigRules.quote(text));
        }

        private void addUnlessNull(String key, String item, @Nullable String error, String example) {
            if (error != null && findings.size() < MOST_MISTAKES) {
                add(key, item + error, "write for example " + example);
            }
        }

        void add(String key, String what, String cure) {
            findings.add(new ProblemFinding("KubeletAnnotationUnusable", object, "annotation " + key, what, cure));
        }
    }
}
