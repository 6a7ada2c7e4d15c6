package io.osmhub.api.inventory;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.MachineDeploymentList;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscList;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.ProblemEntryList;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.api.schema.Summary;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.api.schema.WorkerClusterList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is known of all tenants, cut down to what a caller may see. Follows from what is stored in the management
 * cluster, so that every replica says the same; of tenants that this replica serves, live details are added. Asks nobody and
 * returns at once. What a caller may not see is not there.
 *
 * <p>A list throws {@link ApiProblem}: bad request for an unknown sort field, a selector that is none or a cursor of another query,
 * gone for a cursor that has become too old.
 */
public interface Inventory {
    /** Another number after anything that is stored has changed. */
    long changes();

    WorkerClusterList workerClusters(WorkerClusterQuery query, Sight sight) throws ApiProblem;

    Optional<WorkerCluster> workerCluster(String namespace, String name, Sight sight);

    OspList profiles(ProfileQuery query, Sight sight) throws ApiProblem;

    Optional<Osp> profile(String namespace, String name, Sight sight);

    OscList configurations(ConfigurationQuery query, Sight sight) throws ApiProblem;

    Optional<Osc> configuration(String namespace, String name, Sight sight);

    MachineDeploymentList machineDeployments(MachineDeploymentQuery query, Sight sight) throws ApiProblem;

    /**
     * One MachineDeployment.
     *
     * @param tenant namespace in the management cluster
     * @param namespace in the worker cluster
     */
    Optional<MachineDeployment> machineDeployment(String tenant, String namespace, String name, Sight sight);

    ProblemEntryList problems(ProblemQuery query, Sight sight) throws ApiProblem;

    /** Open problems of a tenant, worst first. */
    List<ProblemEntry> problemsOf(String tenant, Sight sight);

    Summary summary(Sight sight);

    /** Objects with a text in their name, best match first. */
    SearchResult search(String text, int limit, Sight sight);
}
