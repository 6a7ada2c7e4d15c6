package io.osmhub.api.access;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;

/** What callers may see and change, decided by the management cluster. Waits for it, so only on virtual threads. */
public interface Access {
    /**
     * Whether the caller may do this in the management cluster.
     *
     * @param namespace empty for all of them
     * @param name empty for any
     * @throws ApiProblem when the management cluster does not answer
     */
    boolean may(Caller caller, Verb verb, Resource resource, String namespace, String name) throws ApiProblem;

    /**
     * In which tenants the caller may do this to every object of a kind. A list shows what may be listed; a MachineDeployment is seen
     * by who may get OperatingSystemConfigs.
     *
     * @throws ApiProblem when the management cluster does not answer
     */
    Visible visible(Caller caller, Verb verb, Resource resource) throws ApiProblem;

    /** In which tenants the caller may list objects of a kind. */
    default Visible visible(Caller caller, Resource resource) throws ApiProblem {
        return visible(caller, Verb.LIST, resource);
    }
}
