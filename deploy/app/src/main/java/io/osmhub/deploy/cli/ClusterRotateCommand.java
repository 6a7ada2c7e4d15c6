package io.osmhub.deploy.cli;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.deploy.cluster.RegistrationLines;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.tenancy.kubeconfig.Vetting;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster rotate}: puts another kubeconfig in place of the stored one. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = "Replace the kubeconfig of a worker cluster. The new one is proven first; a failed proof changes"
                + " nothing.")
final class ClusterRotateCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "The new kubeconfig; - for the standard input.")
    private String kubeconfig = "";

    @Option(names = "--scoped", description = "Store a short-lived token of the hub's own account in its place.")
    private boolean scoped;

    @Mixin
    private final ManagementKubeconfig management = new ManagementKubeconfig();

    ClusterRotateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return management.file();
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        WorkerKubeconfig given = WorkerKubeconfig.read(kubeconfig, terminal);
        switch (given.vetted()) {
            case Vetting.Vetted(var vetted) -> say(RegistrationLines.read(given.source(), vetted));
            case Vetting.Refused refused -> throw ClusterAddCommand.refused(given.source(), refused.findings());
        }
        RegistrationResult result = fleet.registrations().rotate(namespace, name, given.text(), scoped);
        RegistrationLines.done(result, Instant.now()).forEach(this::say);
        say(workerCluster(fleet, namespace, name) + " has a new kubeconfig.");
        return ExitCode.OK;
    }
}
