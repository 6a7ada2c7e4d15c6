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
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Derives events from an object before and after a change. Deterministic, so that every process produces the same events in the same
 * order.
 */
final class ChangeEventFactory {
    private ChangeEventFactory() {}

    /** Events of a worker cluster: the object, then its new and resolved problems. */
    static List<ChangeEvent> of(
            ObjectChange.Kind kind, @Nullable WorkerClusterRecord before, WorkerClusterRecord after) {
        String tenant = after.namespace();
        boolean gone = kind == ObjectChange.Kind.DELETED;
        State state = gone ? State.CLOSED : StoredObjectMapper.state(after);
        List<ChangeEvent> events = new ArrayList<>();
        events.add(new ChangeEvent(
                type(kind),
                StreamKind.WORKER_CLUSTER,
                Resource.WORKER_CLUSTERS,
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
    static List<ChangeEvent> of(ObjectChange.Kind kind, @Nullable StoredProfile before, StoredProfile after) {
        boolean gone = kind == ObjectChange.Kind.DELETED;
        List<ChangeEvent> events = new ArrayList<>();
        events.add(new ChangeEvent(
                type(kind),
                StreamKind.OPERATING_SYSTEM_PROFILE,
                Resource.OPERATING_SYSTEM_PROFILES,
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
    static List<ChangeEvent> of(ObjectChange.Kind kind, ListedConfig after) {
        boolean gone = kind == ObjectChange.Kind.DELETED;
        String tenant = after.config().namespace();
        NewNodes newNodes = gone ? null : StoredObjectMapper.newNodes(after);
        String sentence = gone ? null : StoredObjectMapper.sentence(after);
        List<ChangeEvent> events = new ArrayList<>();
        events.add(new ChangeEvent(
                type(kind),
                StreamKind.OPERATING_SYSTEM_CONFIG,
                Resource.OPERATING_SYSTEM_CONFIGS,
                tenant,
                managed("OperatingSystemConfig", tenant, after.config().name()),
                null,
                newNodes,
                null,
                sentence));
        ObjectRef deployment = StoredObjectMapper.deployment(after);
        if (deployment != null) {
            events.add(new ChangeEvent(
                    type(kind),
                    StreamKind.MACHINE_DEPLOYMENT,
                    Resource.OPERATING_SYSTEM_CONFIGS,
                    tenant,
                    deployment,
                    null,
                    newNodes,
                    null,
                    sentence));
        }
        return events;
    }

    private static void problems(
            List<ChangeEvent> events,
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

    private static ChangeEvent problem(StreamEvent.Type type, String tenant, ProblemEntry problem) {
        ObjectRef object = Objects.requireNonNull(problem.object());
        return new ChangeEvent(
                type, StreamKind.PROBLEM, behind(object.kind()), tenant, object, null, null, problem, null);
    }

    private static Resource behind(String kind) {
        return switch (kind) {
            case "MachineDeployment" -> Resource.OPERATING_SYSTEM_CONFIGS;
            case "OperatingSystemProfile" -> Resource.OPERATING_SYSTEM_PROFILES;
            default -> Resource.WORKER_CLUSTERS;
        };
    }

    private static ObjectRef managed(String kind, String namespace, String name) {
        return new ObjectRef(ObjectRef.Cluster.MANAGEMENT, kind, namespace, name);
    }

    private static StreamEvent.Type type(ObjectChange.Kind kind) {
        return switch (kind) {
            case ADDED -> StreamEvent.Type.ADDED;
            case MODIFIED -> StreamEvent.Type.MODIFIED;
            case DELETED -> StreamEvent.Type.DELETED;
        };
    }
}
