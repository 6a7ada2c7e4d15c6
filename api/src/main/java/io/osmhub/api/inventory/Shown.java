package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Change;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one stored object says by itself, without any other: the same in every process that sees that object. */
public final class Shown {
    private static final int LONGEST_SENTENCE = 512;

    private Shown() {}

    /** The tenant's state. */
    public static State state(WorkerClusterRecord record) {
        return TenantRow.stateOf(record);
    }

    /** Open problems that its status lists, by id. How many MachineDeployments each affects is not in it. */
    public static SortedMap<String, ProblemEntry> problems(WorkerClusterRecord record) {
        SortedMap<String, ProblemEntry> problems = new TreeMap<>();
        WorkerClusterStatus status = record.status();
        Copies.stream(status == null ? null : status.problems())
                .map(problem -> Tenant.problem(record, problem, new int[NewNodes.values().length]))
                .forEach(row -> problems.put(row.id(), Entries.alone(row)));
        return problems;
    }

    /** What is wrong with a profile, by id. */
    public static SortedMap<String, ProblemEntry> problems(StoredProfile profile) {
        SortedMap<String, ProblemEntry> problems = new TreeMap<>();
        ProfileProblems.of(profile, new int[NewNodes.values().length])
                .forEach((id, row) -> problems.put(id, Entries.alone(row)));
        return problems;
    }

    /** The MachineDeployment of a configuration; null when the object does not say. */
    public static @Nullable ObjectRef deployment(ListedConfig listed) {
        ConfigRow row = new ConfigRow(listed);
        return row.deploymentNamespace().isEmpty() ? null : Rendition.deployment(row);
    }

    /** What happens to a node that starts now. */
    public static NewNodes newNodes(ListedConfig listed) {
        return new ConfigRow(listed).newNodes();
    }

    /** How a tenant stands, in one sentence; null when it does not say. */
    public static @Nullable String sentence(WorkerClusterRecord record) {
        WorkerClusterStatus status = record.status();
        Condition ready = status == null ? null : Stored.condition(status.conditions(), "Ready");
        return ready == null ? null : cut(ready.message());
    }

    /** What is wrong with a profile, in one sentence; null when nothing is. */
    public static @Nullable String sentence(StoredProfile profile) {
        Condition valid = profile.status() == null
                ? null
                : Stored.condition(profile.status().conditions(), "Valid");
        return valid == null || valid.status() == Condition.Status.TRUE ? null : cut(valid.message());
    }

    /** What is wrong with a configuration, or what was done last; null when it does not say. */
    public static @Nullable String sentence(ListedConfig listed) {
        ConfigRow row = new ConfigRow(listed);
        Condition problem = row.problem();
        if (problem != null) {
            return cut(problem.message());
        }
        return Copies.stream(row.status() == null ? null : row.status().history())
                // What was refused once is no problem any more.
                .filter(change -> change.result() != ChangeResult.REFUSED)
                .max(Comparator.comparing(Change::time))
                .map(change -> cut(change.because()))
                .orElse(null);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_SENTENCE ? text : text.substring(0, LONGEST_SENTENCE);
    }
}
