package io.osmhub.deploy.fleet;

import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.lint.MatrixChoice;
import java.util.List;
import java.util.Set;

/** The fleet, wherever it is read from. Everything waits for answers. */
public interface FleetSource extends AutoCloseable {
    /** All pages of a list. */
    <T> List<T> list(Shelf<T> shelf, ListQuery query) throws FleetFailure;

    /** All pages of the list of worker clusters. */
    default List<WorkerCluster> workerClusters(ListQuery query) throws FleetFailure {
        return list(Shelf.CLUSTERS, query);
    }

    /** One worker cluster. */
    WorkerCluster workerCluster(String namespace, String name) throws FleetFailure;

    /** One profile. */
    OspDetail profile(String namespace, String name) throws FleetFailure;

    /** One OperatingSystemConfig. */
    OscDetail configuration(String namespace, String name) throws FleetFailure;

    /**
     * One MachineDeployment.
     *
     * @param tenant namespace in the management cluster
     * @param namespace in the worker cluster
     */
    MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure;

    /** Why new nodes of a MachineDeployment come or do not come. */
    WhyReport why(String tenant, String namespace, String name) throws FleetFailure;

    /** The same for one machine. */
    WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure;

    /**
     * What is to be said beside that a MachineDeployment or machine is not there: why it may be there all the same. Empty where
     * everything is known.
     */
    default List<String> reservations(String tenant) throws FleetFailure {
        return List.of();
    }

    /** One page of what a change would do. */
    DiffReport diff(DiffRequest request) throws FleetFailure;

    /** What the linter says of a stored profile. */
    ProfileLint lint(String namespace, String name, MatrixChoice choice) throws FleetFailure;

    /** Follows what changes until the thread is interrupted or the receiver has enough. Goes on by itself after a broken connection. */
    void follow(Wanted wanted, Receiver receiver) throws FleetFailure;

    /**
     * Which changes are followed.
     *
     * @param namespace the only tenant; empty for all
     * @param kinds empty for all
     */
    record Wanted(String namespace, Set<StreamKind> kinds) {
        public Wanted {
            kinds = Set.copyOf(kinds);
        }
    }

    /** Takes what is followed, one at a time. */
    interface Receiver {
        /**
         * One change, a bookmark when everything is known up to now, or a reset when something was missed.
         *
         * @return whether more is wanted
         */
        boolean take(StreamEvent event);

        /** The connection is lost and tried again; nothing is lost by that. */
        void waiting(String why);
    }

    /** Changes what is registered. */
    Registrations registrations();

    /** The URL, and the kubeconfig context that selected it, for messages. */
    String describe();

    @Override
    void close();
}
