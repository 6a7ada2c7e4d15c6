package io.osmhub.api.registration;

import io.osmhub.api.access.Caller;
import io.osmhub.api.http.Call;
import io.osmhub.api.problem.ApiProblem;

/** The WorkerCluster that a request is about, and who asks. */
record Target(Caller caller, String namespace, String name) {
    static Target of(Call call) {
        return new Target(call.caller(), call.path("namespace"), call.path("name"));
    }

    /** The same words for one that is not there and for one that the caller may not see. */
    ApiProblem notFound() {
        return ApiProblem.notFound("WorkerCluster " + name + " in namespace " + namespace);
    }
}
