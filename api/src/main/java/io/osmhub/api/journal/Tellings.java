package io.osmhub.api.journal;

import io.osmhub.api.inventory.Shown;
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
import io.osmhub.workersync.watch.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What there is to tell of a change. Follows from the object before and after and from nothing else, so that every process tells the
 * same of it in the same order.
 */
final class Tellings {
    private Tellings() {}

    /** Of a worker cluster: itself, then the problems that it has now and had not, then those that it had. */
    static List<Told> of(Change.Kind kind, @Nullable WorkerClusterRecord before, WorkerClusterRecord after) {
        String tenant = after.namespace();
        boolean gone = kind == Change.Kind.DELETED;
        State state = gone ? State.CLOSED : Shown.state(after);
        List<Told> told = new ArrayList<>();
        told.add(new Told(
                type(kind),
                StreamKind.WORKER_CLUSTER,
                Resource.WORKER_CLUSTERS,
                tenant,
                managed("WorkerCluster", tenant, after.name()),
                state,
                null,
                null,
                gone ? null : Shown.sentence(after)));
        SortedMap<String, ProblemEntry> old = before == null ? new TreeMap<>() : Shown.problems(before);
        problems(told, old, gone ? new TreeMap<>() : Shown.problems(after), tenant);
        return told;
    }

    /** Of a profile: itself, then its problems. */
    static List<Told> of(Change.Kind kind, @Nullable StoredProfile before, StoredProfile after) {
        boolean gone = kind == Change.Kind.DELETED;
        List<Told> told = new ArrayList<>();
        told.add(new Told(
                type(kind),
                StreamKind.OPERATING_SYSTEM_PROFILE,
                Resource.OPERATING_SYSTEM_PROFILES,
                after.namespace(),
                managed("OperatingSystemProfile", after.namespace(), after.name()),
                null,
                null,
                null,
                gone ? null : Shown.sentence(after)));
        SortedMap<String, ProblemEntry> old = before == null ? new TreeMap<>() : Shown.problems(before);
        problems(told, old, gone ? new TreeMap<>() : Shown.problems(after), after.namespace());
        return told;
    }

    /** Of a configuration: itself, and its MachineDeployment. */
    static List<Told> of(Change.Kind kind, ListedConfig after) {
        boolean gone = kind == Change.Kind.DELETED;
        String tenant = after.config().namespace();
        NewNodes newNodes = gone ? null : Shown.newNodes(after);
        String sentence = gone ? null : Shown.sentence(after);
        List<Told> told = new ArrayList<>();
        told.add(new Told(
                type(kind),
                StreamKind.OPERATING_SYSTEM_CONFIG,
                Resource.OPERATING_SYSTEM_CONFIGS,
                tenant,
                managed("OperatingSystemConfig", tenant, after.config().name()),
                null,
                newNodes,
                null,
                sentence));
        ObjectRef deployment = Shown.deployment(after);
        if (deployment != null) {
            told.add(new Told(
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
        return told;
    }

    private static void problems(
            List<Told> told,
            SortedMap<String, ProblemEntry> before,
            SortedMap<String, ProblemEntry> after,
            String tenant) {
        after.forEach((id, problem) -> {
            if (!before.containsKey(id)) {
                told.add(problem(StreamEvent.Type.PROBLEM_OPENED, tenant, problem));
            }
        });
        before.forEach((id, problem) -> {
            if (!after.containsKey(id)) {
                told.add(problem(StreamEvent.Type.PROBLEM_RESOLVED, tenant, problem));
            }
        });
    }

    private static Told problem(StreamEvent.Type type, String tenant, ProblemEntry problem) {
        ObjectRef object = Objects.requireNonNull(problem.object());
        return new Told(type, StreamKind.PROBLEM, behind(object.kind()), tenant, object, null, null, problem, null);
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

    private static StreamEvent.Type type(Change.Kind kind) {
        return switch (kind) {
            case ADDED -> StreamEvent.Type.ADDED;
            case MODIFIED -> StreamEvent.Type.MODIFIED;
            case DELETED -> StreamEvent.Type.DELETED;
        };
    }
}
