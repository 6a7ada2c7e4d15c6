package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.RegistrationClient;
import picocli.CommandLine.Parameters;

/** A verb that changes or tests the registration of one worker cluster. */
abstract class RegistrationCommand extends FleetCommand<RegistrationClient> {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    /** The worker cluster of the command line. */
    record RegistrationTarget(RegistrationClient client, String namespace, String name) {
        WorkerClusterEntry read() {
            return client.workerCluster(namespace, name);
        }

        /** Sets one field of its spec. */
        WorkerClusterEntry set(String field, JsonNode value) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            patch.putObject("spec").set(field, value);
            return client.patch(namespace, name, patch);
        }

        /** The object and its management cluster, for messages. */
        @Override
        public String toString() {
            return "WorkerCluster " + namespace + "/" + name + " at " + client.describe();
        }
    }

    RegistrationCommand() {}

    RegistrationCommand(FleetOptions options) {
        super(options);
    }

    @Override
    final RegistrationClient open(FleetEndpoint remote) {
        if (remote.server() == null) {
            options.rejectApiOptions();
        }
        return remote.openRegistrations();
    }

    @Override
    int run(RegistrationClient client, FleetEndpoint remote) {
        return run(new RegistrationTarget(client, options.namespace(remote), name));
    }

    abstract int run(RegistrationTarget target);
}
