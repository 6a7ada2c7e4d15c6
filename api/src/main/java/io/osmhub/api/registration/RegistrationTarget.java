package io.osmhub.api.registration;

import io.osmhub.api.access.Caller;
import io.osmhub.api.http.Call;
import io.osmhub.api.problem.ApiProblem;

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
