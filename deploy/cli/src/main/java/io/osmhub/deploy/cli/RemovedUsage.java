package io.osmhub.deploy.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Verbs, options and formats of earlier versions, with what to use instead. */
final class RemovedUsage {
    private static final String JQ = "use -o json | jq";

    private static final Map<String, String> VERBS = Map.of(
            "describe", "use hub why for MachineDeployments and machines, hub get -o yaml or kubectl describe",
            "wait", "use kubectl wait",
            "events", "use kubectl events, or hub get problems -w",
            "explain",
                    "see docs/reference; hub get settings shows a tenant's settings, hub config from-kkp those of a KKP"
                            + " cluster",
            "cluster list", "use hub get clusters",
            "cluster ls", "use hub get clusters",
            "cluster get", "use hub get cluster NAME -n TENANT");

    /** Options of {@code hub get}. */
    private static final Map<String, String> OPTIONS = Map.of(
            "--field-selector", JQ,
            "--search", JQ,
            "--sort", JQ,
            "--sort-by", JQ,
            "--limit", JQ,
            "--show-labels", "use -o json | jq, or kubectl get --show-labels",
            "--utc", "tables show ages; -o json and yaml have times in UTC");

    private RemovedUsage() {}

    /** The error for a command line with a removed verb; null if it has none. */
    static @Nullable String verb(List<String> arguments) {
        List<String> words = !arguments.isEmpty() && arguments.getFirst().equals("help")
                ? arguments.subList(1, arguments.size())
                : arguments;
        for (int count = 1; count <= Math.min(2, words.size()); count++) {
            String verb = String.join(" ", words.subList(0, count));
            if (VERBS.containsKey(verb)) {
                return "hub " + verb + " was removed; " + VERBS.get(verb);
            }
        }
        return null;
    }

    /** The error for an unknown argument of {@code hub get}; null if it never had it. */
    static @Nullable String option(String argument) {
        String name = argument.replaceFirst("=.*", "");
        return OPTIONS.containsKey(name) ? name + " was removed; " + OPTIONS.get(name) : null;
    }

    /** The error for a value of {@code --output}; null if it never was one. */
    static @Nullable String format(@Nullable String value) {
        return value != null && value.matches("(jsonpath|custom-columns)(=.*)?")
                ? "-o " + value.replaceFirst("=.*", "") + " was removed; " + JQ
                : null;
    }
}
