package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.tenancy.settings.ReferencedObjectCache.SecretReference;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Grants a caller only what it may do in the management cluster itself. */
final class RegistrationAuthorizer {
    private final CallerAuthorizer callerAuthorizer;

    RegistrationAuthorizer(CallerAuthorizer callerAuthorizer) {
        this.callerAuthorizer = callerAuthorizer;
    }

    /** Fails without revealing whether the object exists. */
    void requireVisible(RegistrationTarget target) throws ApiProblem {
        if (!callerAuthorizer.isAllowed(
                target.caller(), Verb.GET, Resource.WORKER_CLUSTERS, target.namespace(), target.name())) {
            throw target.notFound();
        }
    }

    /** @param before the stored object; null if none */
    void requirePut(RegistrationTarget target, @Nullable JsonNode before, boolean withSecret) throws ApiProblem {
        if (before == null) {
            requireAllowed(target, Verb.CREATE, Resource.WORKER_CLUSTERS, "");
            requireAllowed(target, Verb.CREATE, Resource.SECRETS, "");
            return;
        }
        requireAllowed(target, Verb.UPDATE, Resource.WORKER_CLUSTERS, target.name());
        if (withSecret) {
            requireAllowed(target, Verb.PATCH, Resource.SECRETS, secret(before));
        }
    }

    /** Settings may refer only to objects that the caller may read, because the hub reads them and passes them to nodes. */
    void requireReferencesAllowed(RegistrationTarget target, JsonNode before, JsonNode spec) throws ApiProblem {
        for (SecretReference reference : SecretReference.changed(before, spec)) {
            if (!callerAuthorizer.isAllowed(
                    target.caller(), Verb.GET, Resource.SECRETS, target.namespace(), reference.name())) {
                throw ApiProblem.forbidden(
                        reference.deniedMessage(target.caller().user(), target.namespace()));
            }
        }
    }

    void requireChange(RegistrationTarget target, Verb verb) throws ApiProblem {
        requireAllowed(target, verb, Resource.WORKER_CLUSTERS, target.name());
    }

    /** Also requires permission for a Secret written by API or command line, which is deleted with its WorkerCluster. */
    void requireDelete(RegistrationTarget target, JsonNode before) throws ApiProblem {
        requireAllowed(target, Verb.DELETE, Resource.WORKER_CLUSTERS, target.name());
        String by = WorkerClusterRecord.of(before).annotation(WorkerClusterRecord.REGISTERED_BY);
        if (List.of(RegistrationSource.API.wireName(), RegistrationSource.CLI.wireName())
                .contains(by)) {
            requireAllowed(target, Verb.DELETE, Resource.SECRETS, secret(before));
        }
    }

    void requireRotate(RegistrationTarget target, JsonNode before) throws ApiProblem {
        requireAllowed(target, Verb.PATCH, Resource.WORKER_CLUSTERS, target.name());
        requireAllowed(target, Verb.PATCH, Resource.SECRETS, secret(before));
    }

    /** A caller that may store a kubeconfig and let the hub connect may also test it. */
    void requireConnectionTest(RegistrationTarget target, @Nullable JsonNode before) throws ApiProblem {
        requirePut(target, before, true);
    }

    private static String secret(JsonNode stored) {
        return WorkerClusterRecord.of(stored).secretName();
    }

    private void requireAllowed(RegistrationTarget target, Verb verb, Resource resource, String name)
            throws ApiProblem {
        if (!callerAuthorizer.isAllowed(target.caller(), verb, resource, target.namespace(), name)) {
            throw ApiProblem.forbidden("you may not " + verb.wireName() + " " + resource.plural()
                    + (name.isEmpty() ? "" : " " + name) + " in namespace " + target.namespace()
                    + "; ask for the role osmhub.io:operator there");
        }
    }

    /** The WorkerCluster and caller of a request. */
    record RegistrationTarget(Caller caller, String namespace, String name) {
        static RegistrationTarget of(Call call) {
            return new RegistrationTarget(call.caller(), call.path("namespace"), call.path("name"));
        }

        /** The same message for absent objects and those that the caller may not see. */
        ApiProblem notFound() {
            return ApiProblem.notFound("WorkerCluster " + name + " in namespace " + namespace);
        }
    }
}
