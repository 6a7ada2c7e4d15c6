package io.osmhub.tenancy.crds;

import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the management cluster knows of the hub's kinds.
 *
 * @param found by definition; one that is absent is not there
 */
public record Definitions(Map<ShippedDefinition, FoundDefinition> found) {
    public Definitions {
        found = found.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(found));
    }

    /** Before anybody has looked: everything is taken to be as the hub ships it. */
    public static Definitions asShipped() {
        Map<ShippedDefinition, FoundDefinition> all = new EnumMap<>(ShippedDefinition.class);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            all.put(definition, new FoundDefinition(definition, 1, "osm-hub", true, true));
        }
        return new Definitions(all);
    }

    /** The same but for one; null when that is not there. */
    public Definitions with(ShippedDefinition definition, @Nullable FoundDefinition one) {
        Map<ShippedDefinition, FoundDefinition> all = new EnumMap<>(ShippedDefinition.class);
        all.putAll(found);
        if (one == null) {
            all.remove(definition);
        } else {
            all.put(definition, one);
        }
        return new Definitions(all);
    }

    public boolean isThere(ShippedDefinition definition) {
        return found.containsKey(definition);
    }

    /** Whether statuses of a kind are stored. */
    public boolean keepsStatus(ShippedDefinition definition) {
        FoundDefinition one = found.get(definition);
        return one != null && one.keepsStatus();
    }

    /** A thing that people should know about one definition. */
    public record Problem(String definition, Reason reason, String message) {}

    /** Definitions that lack what the hub's have, as others write them. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            FoundDefinition one = found.get(definition);
            Problem problem = one == null ? null : problem(one);
            if (problem != null) {
                problems.add(problem);
            }
        }
        return List.copyOf(problems);
    }

    /** Null when it has what the hub needs. */
    public static @Nullable Problem problem(FoundDefinition one) {
        if (one.lacks().isEmpty()) {
            return null;
        }
        return new Problem(
                one.definition().definitionName(),
                Reason.CRDForeignManaged,
                Message.of(
                        Reason.CRDForeignManaged,
                        Map.of(
                                "crd", one.definition().definitionName(),
                                "manager", one.manager(),
                                "what", String.join(" and ", one.lacks()))));
    }
}
