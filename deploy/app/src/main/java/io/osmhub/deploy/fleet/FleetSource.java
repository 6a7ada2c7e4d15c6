package io.osmhub.deploy.fleet;

import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.lint.MatrixFilter;
import java.util.List;
import java.util.Set;

/** Access to the fleet. All methods block for responses. */
public interface FleetSource extends AutoCloseable {
    /** Reads all pages of a list. */
    <T> List<T> list(FleetCollection<T> shelf, FleetListQuery query) throws FleetFailure;

    /** Reads all worker clusters. */
    default List<WorkerClusterEntry> workerClusters(FleetListQuery query) throws FleetFailure {
        return list(FleetCollection.CLUSTERS, query);
    }

    WorkerClusterEntry workerCluster(String namespace, String name) throws FleetFailure;

    OspDetail profile(String namespace, String name) throws FleetFailure;

    OscDetail configuration(String namespace, String name) throws FleetFailure;

    /**
     * @param tenant namespace in the management cluster
     * @param namespace in the worker cluster
     */
    MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure;

    /** Why new nodes of a MachineDeployment are or are not joining. */
    WhyReport why(String tenant, String namespace, String name) throws FleetFailure;

    /** Why a machine is or is not joining. */
    WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure;

    /** Hints why an object that was not found may exist nevertheless. Empty if all objects are known. */
    default List<String> notFoundHints(String tenant) throws FleetFailure {
        return List.of();
    }

    /** One page of the preview of a change. */
    DiffReport diff(DiffRequest request) throws FleetFailure;

    /** Lints a stored profile. */
    ProfileLintResult lint(String namespace, String name, MatrixFilter choice) throws FleetFailure;

    /** Delivers changes until the thread is interrupted or the receiver stops. Reconnects automatically. */
    void follow(FollowOptions wanted, ChangeHandler receiver) throws FleetFailure;

    /**
     * Which changes to deliver.
     *
     * @param namespace the only tenant; empty for all
     * @param kinds empty for all
     */
    record FollowOptions(String namespace, Set<StreamKind> kinds) {
        public FollowOptions {
            kinds = Set.copyOf(kinds);
        }
    }

    /** Receives changes one at a time. */
    interface ChangeHandler {
        /**
         * Receives a change, a bookmark when all past events have been delivered, or a reset when events were missed.
         *
         * @return whether to continue
         */
        boolean onEvent(StreamEvent event);

        /** The connection is lost and being re-established; no event is lost. */
        void onWaiting(String why);
    }

    /** Changes registrations. */
    RegistrationClient registrations();

    /** The URL, and the kubeconfig context that selected it, for messages. */
    String describe();

    @Override
    void close();
}
