package io.osmhub.api.inventory;

import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamEvent.StreamKind;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives events from an object before and after a change, without reading others, so that every process derives the same. */
public final class ChangeEventFactory {
    private static final int LONGEST_SENTENCE = 512;

    private ChangeEventFactory() {}

    /** Events of a worker cluster: the object, then its new and resolved problems. */
    public static List<StreamEvent> of(
            StreamEvent.Type type, @Nullable WorkerClusterRecord before, WorkerClusterRecord after) {
        String tenant = after.namespace();
        boolean gone = type == StreamEvent.Type.DELETED;
        State state = gone ? State.CLOSED : WorkerClusterMapper.stateOf(after);
        List<StreamEvent> events = new ArrayList<>();
        events.add(event(
                type,
                StreamKind.WORKER_CLUSTER,
                tenant,
                managed("WorkerCluster", tenant, after.name()),
                state,
                null,
                null,
                gone ? null : sentence(after)));
        SortedMap<String, ProblemEntry> old = before == null ? new TreeMap<>() : problems(before);
        problems(events, old, gone ? new TreeMap<>() : problems(after), tenant);
        return events;
    }

    /** Events of a profile: the object, then its problems. */
    public static List<StreamEvent> of(StreamEvent.Type type, @Nullable StoredProfile before, StoredProfile after) {
        boolean gone = type == StreamEvent.Type.DELETED;
        List<StreamEvent> events = new ArrayList<>();
        events.add(event(
                type,
                StreamKind.OPERATING_SYSTEM_PROFILE,
                after.namespace(),
                managed("OperatingSystemProfile", after.namespace(), after.name()),
                null,
                null,
                null,
                gone ? null : sentence(after)));
        SortedMap<String, ProblemEntry> old = before == null ? new TreeMap<>() : problems(before);
        problems(events, old, gone ? new TreeMap<>() : problems(after), after.namespace());
        return events;
    }

    /** Events of a configuration: the object and its MachineDeployment. */
    public static List<StreamEvent> of(StreamEvent.Type type, ListedConfig after) {
        boolean gone = type == StreamEvent.Type.DELETED;
        String tenant = after.config().namespace();
        ConfigRow row = ConfigRow.of(after);
        NewNodes newNodes = gone ? null : row.newNodes();
        String sentence = gone ? null : sentence(row);
        List<StreamEvent> events = new ArrayList<>();
        events.add(event(
                type,
                StreamKind.OPERATING_SYSTEM_CONFIG,
                tenant,
                managed("OperatingSystemConfig", tenant, after.config().name()),
                null,
                newNodes,
                null,
                sentence));
        if (!row.deploymentNamespace().isEmpty()) {
            events.add(event(
                    type,
                    StreamKind.MACHINE_DEPLOYMENT,
                    tenant,
                    InventoryRowMapper.deployment(row),
                    null,
                    newNodes,
                    null,
                    sentence));
        }
        return events;
    }

    private static void problems(
            List<StreamEvent> events,
            SortedMap<String, ProblemEntry> before,
            SortedMap<String, ProblemEntry> after,
            String tenant) {
        after.forEach((id, problem) -> {
            if (!before.containsKey(id)) {
                events.add(problem(StreamEvent.Type.PROBLEM_OPENED, tenant, problem));
            }
        });
        before.forEach((id, problem) -> {
            if (!after.containsKey(id)) {
                events.add(problem(StreamEvent.Type.PROBLEM_RESOLVED, tenant, problem));
            }
        });
    }

    private static StreamEvent problem(StreamEvent.Type type, String tenant, ProblemEntry problem) {
        ObjectRef object = Objects.requireNonNull(problem.object());
        return event(type, StreamKind.PROBLEM, tenant, object, null, null, problem, null);
    }

    private static StreamEvent event(
            StreamEvent.Type type,
            StreamKind kind,
            String tenant,
            ObjectRef object,
            @Nullable State state,
            @Nullable NewNodes newNodes,
            @Nullable ProblemEntry problem,
            @Nullable String summary) {
        // The journal sets id and time.
        return new StreamEvent("", type, Instant.EPOCH, kind, tenant, object, state, newNodes, problem, summary);
    }

    private static ObjectRef managed(String kind, String namespace, String name) {
        return new ObjectRef(Cluster.MANAGEMENT, kind, namespace, name);
    }

    /** Open problems in its status, by id, without the number of affected MachineDeployments. */
    private static SortedMap<String, ProblemEntry> problems(WorkerClusterRecord record) {
        SortedMap<String, ProblemEntry> problems = new TreeMap<>();
        WorkerClusterStatus status = record.status();
        NullableCollections.stream(status == null ? null : status.problems())
                .map(problem -> TenantRowBuilder.problem(record, problem))
                .forEach(row -> problems.put(row.id(), ProblemEntries.withoutAffected(row)));
        return problems;
    }

    /** Problems of a profile, by id. */
    private static SortedMap<String, ProblemEntry> problems(StoredProfile profile) {
        SortedMap<String, ProblemEntry> problems = new TreeMap<>();
        ProblemRow.ofProfile(profile, new int[NewNodes.values().length])
                .forEach((id, row) -> problems.put(id, ProblemEntries.withoutAffected(row)));
        return problems;
    }

    /** State of a tenant in one sentence; null if unknown. */
    private static @Nullable String sentence(WorkerClusterRecord record) {
        WorkerClusterStatus status = record.status();
        Condition ready = status == null ? null : StatusParser.condition(status.conditions(), "Ready");
        return ready == null ? null : cut(ready.message());
    }

    /** Problem of a profile in one sentence; null if none. */
    private static @Nullable String sentence(StoredProfile profile) {
        Condition valid = profile.status() == null
                ? null
                : StatusParser.condition(profile.status().conditions(), "Valid");
        return valid == null || valid.status() == Condition.Status.TRUE ? null : cut(valid.message());
    }

    /** Problem or last action of a configuration in one sentence; null if unknown. */
    private static @Nullable String sentence(ConfigRow row) {
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
