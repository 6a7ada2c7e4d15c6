package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.RegistrationClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster pause} and {@code resume}. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Pause a worker cluster: the hub writes nothing to it, and its bootstrap tokens expire.")
class ClusterPauseCommand extends RegistrationCommand {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    private final boolean paused;

    ClusterPauseCommand(Terminal terminal) {
        this(terminal, true);
    }

    private ClusterPauseCommand(Terminal terminal, boolean paused) {
        super(terminal);
        this.paused = paused;
    }

    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Resume a paused worker cluster.")
    static final class Resume extends ClusterPauseCommand {
        Resume(Terminal terminal) {
            super(terminal, false);
        }
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(RegistrationClient client, FleetEndpoint remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("paused", paused);
        client.patch(namespace, name, patch);
        printLine(workerCluster(client, namespace, name)
                + (paused ? " paused; its bootstrap tokens expire and are not renewed." : " resumed."));
        return ExitCode.OK;
    }
}
