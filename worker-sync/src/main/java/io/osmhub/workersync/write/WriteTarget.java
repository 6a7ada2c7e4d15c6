package io.osmhub.workersync.write;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredObject;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The object of a change.
 *
 * @param verb the last request of the change
 * @param lastWriter field manager of the existing object; null if there is none or it is unknown
 */
public record WriteTarget(
        ProblemObject object,
        Resource resource,
        Verb verb,
        @Nullable String lastWriter) {
    private static final Map<String, Resource> RESOURCES = Stream.of(
                    Resource.MACHINE_DEPLOYMENTS,
                    Resource.SECRETS,
                    Resource.SERVICE_ACCOUNTS,
                    Resource.ROLES,
                    Resource.ROLE_BINDINGS,
                    Resource.OPERATING_SYSTEM_CONFIGS)
            .collect(Collectors.toUnmodifiableMap(Resource::kind, resource -> resource));

    public static WriteTarget of(PlannedChange change) {
        ProblemObject object = change.target();
        StoredObject found = change.found();
        Verb verb =
                switch (change) {
                    case PlannedChange.Create _, PlannedChange.Replace _, PlannedChange.RequestFetchToken _ ->
                        Verb.CREATE;
                    case PlannedChange.Delete _ -> Verb.DELETE;
                    case PlannedChange.SetFinalizer _,
                            PlannedChange.UpdateSecret _,
                            PlannedChange.UpdateGrant _,
                            PlannedChange.Annotate _,
                            PlannedChange.ExtendToken _,
                            PlannedChange.ReplaceFetchToken _ -> Verb.PATCH;
                };
        return new WriteTarget(
                object,
                Objects.requireNonNull(RESOURCES.get(object.kind()), "kind that the hub does not write"),
                verb,
                found == null ? null : found.lastWriter());
    }

    public ObjectKey key() {
        return new ObjectKey(object.namespace(), object.name());
    }

    /** Whether the write belongs to a MachineDeployment's own fetch token, which requires additional permissions. */
    public boolean isGrant() {
        return switch (resource) {
            case SERVICE_ACCOUNTS, ROLES, ROLE_BINDINGS -> true;
            default -> false;
        };
    }

    public boolean isBootstrapToken() {
        return resource == Resource.SECRETS && object.namespace().equals(ObjectNames.TOKEN_NAMESPACE);
    }

    public boolean inWorker() {
        return object.cluster() == ProblemObject.Cluster.WORKER;
    }

    /** As in metrics. */
    public String shortKind() {
        return !inWorker() ? "osc" : isBootstrapToken() || isGrant() ? "token" : "secret";
    }

    /** Kind, namespace and name. */
    @Override
    public String toString() {
        return object.toString();
    }
}
