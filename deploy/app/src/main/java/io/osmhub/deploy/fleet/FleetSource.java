package io.osmhub.deploy.fleet;

import io.osmhub.api.schema.WorkerCluster;
import java.util.List;

/** The fleet, wherever it is read from. Everything waits for answers. */
public interface FleetSource extends AutoCloseable {
    /** All pages of a list. */
    List<WorkerCluster> workerClusters(ListQuery query) throws FleetFailure;

    /** One worker cluster. */
    WorkerCluster workerCluster(String namespace, String name) throws FleetFailure;

    /** Changes what is registered. */
    Registrations registrations();

    /** What people call it: a URL. */
    String describe();

    @Override
    void close();
}
