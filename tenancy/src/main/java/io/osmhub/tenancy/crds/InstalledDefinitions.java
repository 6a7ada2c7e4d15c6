package io.osmhub.tenancy.crds;

import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The installed CustomResourceDefinitions.
 *
 * @param found by definition; missing ones are absent
 */
public record InstalledDefinitions(Map<ShippedDefinition, InstalledDefinition> found) {
    public InstalledDefinitions {
        found = found.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(found));
    }

    /** Assumed until read: everything as shipped. */
    public static InstalledDefinitions asShipped() {
        Map<ShippedDefinition, InstalledDefinition> all = new EnumMap<>(ShippedDefinition.class);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            all.put(definition, new InstalledDefinition(definition, 1, "osm-hub", true, true));
        }
        return new InstalledDefinitions(all);
    }

    /** Replaces one; null if it is not installed. */
    public InstalledDefinitions with(ShippedDefinition definition, @Nullable InstalledDefinition one) {
        Map<ShippedDefinition, InstalledDefinition> all = new EnumMap<>(ShippedDefinition.class);
        all.putAll(found);
        if (one == null) {
            all.remove(definition);
        } else {
            all.put(definition, one);
        }
        return new InstalledDefinitions(all);
    }

    public boolean isInstalled(ShippedDefinition definition) {
        return found.containsKey(definition);
    }

    public boolean hasStatusSubresource(ShippedDefinition definition) {
        InstalledDefinition one = found.get(definition);
        return one != null && one.hasStatusSubresource();
    }

    /** A problem of one definition to report. */
    public record DefinitionProblem(String definition, Reason reason, String message) {}

    /** Problems of definitions by other managers that lack parts of the hub's. */
    public List<DefinitionProblem> problems() {
        List<DefinitionProblem> problems = new ArrayList<>();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            InstalledDefinition one = found.get(definition);
            DefinitionProblem problem = one == null ? null : problem(one);
            if (problem != null) {
                problems.add(problem);
            }
        }
        return List.copyOf(problems);
    }

    /** Returns null if it has everything that the hub needs. */
    public static @Nullable DefinitionProblem problem(InstalledDefinition one) {
        if (one.missingFields().isEmpty()) {
            return null;
        }
        return new DefinitionProblem(
                one.definition().definitionName(),
                Reason.CRDForeignManaged,
                Reason.CRDForeignManaged.with(
                                "crd", one.definition().definitionName(),
                                "manager", one.manager(),
                                "what", String.join(" and ", one.missingFields()))
                        .message());
    }
}
