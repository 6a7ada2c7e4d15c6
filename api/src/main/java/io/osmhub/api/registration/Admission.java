package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Access;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.registry.RegisteredBy;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SecretReference;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets a caller do what he could do himself in the management cluster, and nothing more. */
final class Admission {
    private final Access access;

    Admission(Access access) {
        this.access = access;
    }

    /** Whoever may not see it learns nothing, also not whether it is there. */
    void see(Target target) throws ApiProblem {
        if (!access.may(target.caller(), Verb.GET, Resource.WORKER_CLUSTERS, target.namespace(), target.name())) {
            throw target.notFound();
        }
    }

    /** @param before what is stored; null when nothing is */
    void put(Target target, @Nullable JsonNode before, boolean withSecret) throws ApiProblem {
        if (before == null) {
            need(target, Verb.CREATE, Resource.WORKER_CLUSTERS, "");
            need(target, Verb.CREATE, Resource.SECRETS, "");
            return;
        }
        need(target, Verb.UPDATE, Resource.WORKER_CLUSTERS, target.name());
        if (withSecret) {
            need(target, Verb.PATCH, Resource.SECRETS, secret(before));
        }
    }

    /** The hub reads what settings refer to, and nodes get it: only what the caller may read may be referred to. */
    void refer(Target target, JsonNode before, JsonNode spec) throws ApiProblem {
        for (SecretReference reference : SecretReference.changed(before, spec)) {
            if (!access.may(target.caller(), Verb.GET, Resource.SECRETS, target.namespace(), reference.name())) {
                throw ApiProblem.forbidden(reference.denied(target.caller().user(), target.namespace()));
            }
        }
    }

    void change(Target target, Verb verb) throws ApiProblem {
        need(target, verb, Resource.WORKER_CLUSTERS, target.name());
    }

    /** A Secret that API or command line wrote goes with its WorkerCluster. */
    void remove(Target target, JsonNode before) throws ApiProblem {
        need(target, Verb.DELETE, Resource.WORKER_CLUSTERS, target.name());
        String by = WorkerClusterRecord.of(before).annotation(WorkerClusterRecord.REGISTERED_BY);
        if (List.of(RegisteredBy.API.word(), RegisteredBy.CLI.word()).contains(by)) {
            need(target, Verb.DELETE, Resource.SECRETS, secret(before));
        }
    }

    void exchange(Target target, JsonNode before) throws ApiProblem {
        need(target, Verb.PATCH, Resource.WORKER_CLUSTERS, target.name());
        need(target, Verb.PATCH, Resource.SECRETS, secret(before));
    }

    /** Whoever could store a kubeconfig and have the hub connect may also have it tried. */
    void connect(Target target, @Nullable JsonNode before) throws ApiProblem {
        put(target, before, true);
    }

    private static String secret(JsonNode stored) {
        return WorkerClusterRecord.of(stored).secretName();
    }

    private void need(Target target, Verb verb, Resource resource, String name) throws ApiProblem {
        if (!access.may(target.caller(), verb, resource, target.namespace(), name)) {
            throw ApiProblem.forbidden("you may not " + verb.word() + " " + resource.plural()
                    + (name.isEmpty() ? "" : " " + name) + " in namespace " + target.namespace()
                    + "; ask for the role osmhub.io:operator there");
        }
    }
}
