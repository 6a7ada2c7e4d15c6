package io.osmhub.api.inventory;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentList;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscList;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.ProblemEntryList;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.api.schema.Summary;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterList;
import java.util.List;
import java.util.Optional;

/**
 * All tenants, filtered by the caller's permissions. Derived from objects stored in the management cluster, so that all replicas
 * return the same; live details are added for tenants served by this replica. Never sends requests or blocks. Objects that the caller
 * may not see are omitted.
 *
 * <p>Lists throw {@link ApiProblem}: bad request for an unknown sort field, an invalid selector or the cursor of another query, gone
 * for an expired cursor.
 */
public interface Inventory {
    /** A number that changes whenever stored objects change. */
    long changes();

    WorkerClusterList workerClusters(WorkerClusterQuery query, Visibility sight) throws ApiProblem;

    Optional<WorkerClusterEntry> workerCluster(String namespace, String name, Visibility sight);

    OspList profiles(ProfileQuery query, Visibility sight) throws ApiProblem;

    Optional<Osp> profile(String namespace, String name, Visibility sight);

    OscList configurations(ConfigurationQuery query, Visibility sight) throws ApiProblem;

    Optional<Osc> configuration(String namespace, String name, Visibility sight);

    MachineDeploymentList machineDeployments(MachineDeploymentQuery query, Visibility sight) throws ApiProblem;

    /**
     * One MachineDeployment.
     *
     * @param tenant namespace in the management cluster
     * @param namespace in the worker cluster
     */
    Optional<MachineDeploymentEntry> machineDeployment(String tenant, String namespace, String name, Visibility sight);

    ProblemEntryList problems(ProblemQuery query, Visibility sight) throws ApiProblem;

    /** Open problems of a tenant, worst first. */
    List<ProblemEntry> problemsOf(String tenant, Visibility sight);

    Summary summary(Visibility sight);

    /** Objects whose name contains a text, best match first. */
    SearchResult search(String text, int limit, Visibility sight);
}
