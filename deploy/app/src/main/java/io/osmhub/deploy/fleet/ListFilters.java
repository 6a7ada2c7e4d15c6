package io.osmhub.deploy.fleet;

import io.osmhub.api.inventory.ConfigurationQuery;
import io.osmhub.api.inventory.MachineDeploymentQuery;
import io.osmhub.api.inventory.ProblemQuery;
import io.osmhub.api.inventory.ProfileQuery;
import io.osmhub.api.inventory.WorkerClusterQuery;
import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts filters of the command line to queries of the read model. Errors list the valid values. */
public final class ListFilters {
    private final Map<String, String> values;

    ListFilters(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Parses {@code state=Degraded,state=Unreachable,profile=osp-ubuntu}: values of one field are alternatives.
     *
     * @param known names of the supported filters
     */
    public static Map<String, String> parse(String selector, Set<String> known) throws FleetFailure {
        Map<String, String> values = new LinkedHashMap<>();
        if (selector.isBlank()) {
            return values;
        }
        for (String part : selector.split(",", -1)) {
            int equals = part.indexOf('=');
            String field = (equals < 0 ? part : part.substring(0, equals)).strip();
            String value = equals < 0
                    ? ""
                    : part.substring(equals + 1).replaceFirst("^=", "").strip();
            if (field.isEmpty() || value.isEmpty()) {
                throw unusable("--field-selector \"" + part + "\": expected FIELD=VALUE");
            }
            if (!known.contains(field)) {
                throw unusable("--field-selector: unknown field " + field + "; " + cure(field, known));
            }
            values.merge(field, value, (one, other) -> one + "," + other);
        }
        return values;
    }

    private static String cure(String wrong, Set<String> known) {
        List<String> words = known.stream().sorted().toList();
        Optional<String> near = SpellingSuggestion.findClosest(wrong, words);
        return near.map(word -> "did you mean " + word + "?").orElseGet(() -> "use " + String.join(", ", words));
    }

    private static FleetFailure unusable(String message) {
        return new FleetFailure(FleetFailure.FleetFailureKind.UNUSABLE, message);
    }

    WorkerClusterQuery workerClusters(PageRequest page) throws FleetFailure {
        return new WorkerClusterQuery(
                page,
                constants("state", State.class),
                constants("newNodes", NewNodes.class),
                reason(),
                text("kubernetesVersion"),
                text("profile"));
    }

    ProfileQuery profiles(PageRequest page) throws FleetFailure {
        if (text("usedIn") != null) {
            // A tenant's profiles depend on namespaces and on the hub's configuration.
            throw unusable("--field-selector: usedIn requires the hub's API; set it with --server");
        }
        return new ProfileQuery(page, text("osName"), constant("valid", Condition.Status.class), null);
    }

    ConfigurationQuery configurations(PageRequest page) throws FleetFailure {
        return new ConfigurationQuery(
                page,
                text("profile"),
                constant("ready", Condition.Status.class),
                text("osName"),
                text("cloudProvider"));
    }

    MachineDeploymentQuery machineDeployments(PageRequest page) throws FleetFailure {
        return new MachineDeploymentQuery(
                page, constants("newNodes", NewNodes.class), reason(), text("profile"), text("cloudProvider"));
    }

    ProblemQuery problems(PageRequest page) throws FleetFailure {
        String state = text("state");
        if (state != null && !state.equals("Open") && !state.equals("Resolved")) {
            throw unusable("--field-selector: state \"" + state + "\" is not valid; use Open or Resolved");
        }
        return new ProblemQuery(
                page,
                "Resolved".equals(state),
                constant("severity", Severity.class),
                constant("actor", Actor.class),
                constant("category", Category.class),
                reason());
    }

    private @Nullable String text(String field) {
        return values.get(field);
    }

    private @Nullable Reason reason() throws FleetFailure {
        String word = text("reason");
        if (word == null) {
            return null;
        }
        Optional<Reason> reason = Reason.of(word);
        if (reason.isEmpty()) {
            throw unusable("--field-selector: unknown reason " + word + "; "
                    + SpellingSuggestion.findClosest(
                                    word,
                                    Arrays.stream(Reason.values())
                                            .map(Reason::wireName)
                                            .toList())
                            .map(near -> "did you mean " + near + "?")
                            .orElse("list them with hub explain reason"));
        }
        return reason.get();
    }

    private <E extends Enum<E>> @Nullable E constant(String field, Class<E> type) throws FleetFailure {
        String word = text(field);
        return word == null ? null : constant(field, type, word);
    }

    private <E extends Enum<E>> Set<E> constants(String field, Class<E> type) throws FleetFailure {
        Set<E> constants = EnumSet.noneOf(type);
        String words = text(field);
        if (words != null) {
            for (String word : words.split(",", -1)) {
                constants.add(constant(field, type, word));
            }
        }
        return constants;
    }

    private static <E extends Enum<E>> E constant(String field, Class<E> type, String word) throws FleetFailure {
        Optional<E> found = ApiJson.constant(type, word);
        if (found.isEmpty()) {
            List<String> words =
                    Arrays.stream(type.getEnumConstants()).map(ApiJson::word).toList();
            throw unusable(
                    "--field-selector: " + field + " \"" + word + "\" is not valid; use " + String.join(", ", words));
        }
        return found.get();
    }
}
