package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps single stored objects without reading others, so that every process returns the same. */
public final class StoredObjectMapper {
    private static final int LONGEST_SENTENCE = 512;

    private StoredObjectMapper() {}

    /** The tenant's state. */
    public static State state(WorkerClusterRecord record) {
        return TenantRow.stateOf(record);
    }

    /** Open problems in its status, by id, without the number of affected MachineDeployments. */
    public static SortedMap<String, ProblemEntry> problems(WorkerClusterRecord record) {
        SortedMap<String, ProblemEntry> problems = new TreeMap<>();
        WorkerClusterStatus status = record.status();
        NullableCollections.stream(status == null ? null : status.problems())
                .map(problem -> TenantRowBuilder.problem(record, problem, new int[NewNodes.values().length]))
                .forEach(row -> problems.put(row.id(), ProblemEntries.withoutAffected(row)));
        return problems;
    }

    /** Problems of a profile, by id. */
    public static SortedMap<String, ProblemEntry> problems(StoredProfile profile) {
        SortedMap<String, ProblemEntry> problems = new TreeMap<>();
        ProfileProblems.of(profile, new int[NewNodes.values().length])
                .forEach((id, row) -> problems.put(id, ProblemEntries.withoutAffected(row)));
        return problems;
    }

    /** The MachineDeployment of a configuration; null if unknown. */
    public static @Nullable ObjectRef deployment(ListedConfig listed) {
        ConfigRow row = new ConfigRow(listed);
        return row.deploymentNamespace().isEmpty() ? null : InventoryRowMapper.deployment(row);
    }

    /** State of a node that starts now. */
    public static NewNodes newNodes(ListedConfig listed) {
        return new ConfigRow(listed).newNodes();
    }

    /** State of a tenant in one sentence; null if unknown. */
    public static @Nullable String sentence(WorkerClusterRecord record) {
        WorkerClusterStatus status = record.status();
        Condition ready = status == null ? null : StatusParser.condition(status.conditions(), "Ready");
        return ready == null ? null : cut(ready.message());
    }

    /** Problem of a profile in one sentence; null if none. */
    public static @Nullable String sentence(StoredProfile profile) {
        Condition valid = profile.status() == null
                ? null
                : StatusParser.condition(profile.status().conditions(), "Valid");
        return valid == null || valid.status() == Condition.Status.TRUE ? null : cut(valid.message());
    }

    /** Problem or last action of a configuration in one sentence; null if unknown. */
    public static @Nullable String sentence(ListedConfig listed) {
        ConfigRow row = new ConfigRow(listed);
        Condition problem = row.problem();
        if (problem != null) {
            return cut(problem.message());
        }
        return NullableCollections.stream(
                        row.status() == null ? null : row.status().history())
                // An earlier rejection is no longer a problem.
                .filter(change -> change.result() != ChangeResult.REFUSED)
                .max(Comparator.comparing(ChangeEntry::time))
                .map(change -> cut(change.because()))
                .orElse(null);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_SENTENCE ? text : text.substring(0, LONGEST_SENTENCE);
    }
}
