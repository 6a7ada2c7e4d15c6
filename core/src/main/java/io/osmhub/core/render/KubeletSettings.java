package io.osmhub.core.render;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.ProblemFinding;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Kubelet settings from the annotations of a MachineDeployment; null without an annotation, but not for an empty one.
 *
 * @param imageMinimumGcAge nanoseconds, like {@code imageMaximumGcAge}
 */
record KubeletSettings(
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
    // As in OSM, only the prefix counts, and the setting's name follows the first slash.
    private static final String PREFIX = "v1.kubelet-config.machine-controller.kubermatic.io";

    /** Reads the annotations; adds a finding for each invalid one. */
    static KubeletSettings read(MachineDeployment machineDeployment, List<ProblemFinding> findings) {
        Reader reader = new Reader(machineDeployment, findings);
        return new KubeletSettings(
                reader.pairs("KubeReserved", '='),
                reader.pairs("SystemReserved", '='),
                reader.pairs("EvictionHard", '<'),
                reader.int32("MaxPods", "110"),
                reader.text("ContainerLogMaxSize"),
                reader.text("ContainerLogMaxFiles"),
                reader.int32("ImageGCHighThresholdPercent", "85"),
                reader.int32("ImageGCLowThresholdPercent", "80"),
                reader.duration("ImageMinimumGCAge"),
                reader.duration("ImageMaximumGCAge"));
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
            for (String key : machineDeployment.annotations().tailMap(PREFIX).keySet()) {
                if (!key.startsWith(PREFIX)) {
                    break;
                }
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
        @Nullable SortedMap<String, String> pairs(String name, char delimiter) {
            String text = text(name);
            if (text == null) {
                return null;
            }
            SortedMap<String, String> pairs = new TreeMap<>();
            for (String item : text.split(",", -1)) {
                int at = item.indexOf(delimiter);
                if (at >= 0) {
                    pairs.put(item.substring(0, at), item.substring(at + 1));
                }
            }
            return pairs;
        }

        @Nullable Integer int32(String name, String example) {
            String text = text(name);
            if (text == null) {
                return null;
            }
            try {
                return (int) GoNumbers.parseInt(GoString.bytes(text), 10, 32);
            } catch (GoCallException e) {
                invalid(name, text, "a whole number", e, example);
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
                invalid(name, text, "a duration", e, "2m30s");
                return null;
            }
        }

        private void invalid(String name, String text, String expected, GoCallException cause, String example) {
            findings.add(new ProblemFinding(
                    "KubeletAnnotationInvalid",
                    object,
                    "annotation " + keys.get(name),
                    "\"" + text + "\" is not " + expected + " (" + GoString.text(cause.text()) + ")",
                    "write for example " + example));
        }
    }
}
