package io.osmhub.api.access;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;

/** What callers may see and change, decided by the management cluster. Blocks; call on virtual threads only. */
public interface CallerAuthorizer {
    /**
     * Whether the management cluster allows this.
     *
     * @param namespace empty for all of them
     * @param name empty for any
     * @throws ApiProblem if the management cluster does not respond
     */
    boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name) throws ApiProblem;

    /**
     * The tenants in which the caller may do this to every object of a kind. Lists require {@code list}; MachineDeployments require
     * {@code get} on OperatingSystemConfigs.
     *
     * @throws ApiProblem if the management cluster does not respond
     */
    VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) throws ApiProblem;

    /** The tenants in which the caller may list objects of a kind. */
    default VisibleTenants findVisibleTenants(Caller caller, Resource resource) throws ApiProblem {
        return findVisibleTenants(caller, Verb.LIST, resource);
    }
}
