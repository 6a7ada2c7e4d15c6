package io.osmhub.api.journal;

import io.osmhub.api.inventory.StoredObjectMapper;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives events from an object before and after a change. */
final class ChangeEventFactory {
    private ChangeEventFactory() {}

    /** Events of a worker cluster: the object, then its new and resolved problems. */
    static List<StreamEvent> of(
            StreamEvent.Type type, @Nullable WorkerClusterRecord before, WorkerClusterRecord after) {
        String tenant = after.namespace();
        boolean gone = type == StreamEvent.Type.DELETED;
        State state = gone ? State.CLOSED : StoredObjectMapper.state(after);
        List<StreamEvent> events = new ArrayList<>();
        events.add(event(
                type,
                StreamKind.WORKER_CLUSTER,
                tenant,
                managed("WorkerCluster", tenant, after.name()),
                state,
                null,
                null,
                gone ? null : StoredObjectMapper.sentence(after)));
        SortedMap<String, ProblemEntry> old = before == null ? new TreeMap<>() : StoredObjectMapper.problems(before);
        problems(events, old, gone ? new TreeMap<>() : StoredObjectMapper.problems(after), tenant);
        return events;
    }

    /** Events of a profile: the object, then its problems. */
    static List<StreamEvent> of(StreamEvent.Type type, @Nullable StoredProfile before, StoredProfile after) {
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
                gone ? null : StoredObjectMapper.sentence(after)));
        SortedMap<String, ProblemEntry> old = before == null ? new TreeMap<>() : StoredObjectMapper.problems(before);
        problems(events, old, gone ? new TreeMap<>() : StoredObjectMapper.problems(after), after.namespace());
        return events;
    }

    /** Events of a configuration: the object and its MachineDeployment. */
    static List<StreamEvent> of(StreamEvent.Type type, ListedConfig after) {
        boolean gone = type == StreamEvent.Type.DELETED;
        String tenant = after.config().namespace();
        NewNodes newNodes = gone ? null : StoredObjectMapper.newNodes(after);
        String sentence = gone ? null : StoredObjectMapper.sentence(after);
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
        ObjectRef deployment = StoredObjectMapper.deployment(after);
        if (deployment != null) {
            events.add(event(type, StreamKind.MACHINE_DEPLOYMENT, tenant, deployment, null, newNodes, null, sentence));
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
        return new ObjectRef(ObjectRef.Cluster.MANAGEMENT, kind, namespace, name);
    }
}
