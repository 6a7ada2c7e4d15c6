package io.osmhub.deploy.cli;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.deploy.cli.RegistrationCommand.WorkerKubeconfigCommand;
import io.osmhub.deploy.view.RegistrationFormatter;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster rotate}: replaces the stored kubeconfig. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = "Replace the kubeconfig of a worker cluster. The new one is tested first; a failed test changes"
                + " nothing.")
final class ClusterRotateCommand extends WorkerKubeconfigCommand {
    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "The new kubeconfig; - for standard input.")
    private String kubeconfig = "";

    @Option(names = "--scoped", description = "Store a short-lived token of the hub's own account instead.")
    private boolean scoped;

    @Override
    int run(RegistrationTarget target) {
        WorkerKubeconfig given = readValid(kubeconfig);
        RegistrationResult result = target.client().rotate(target.namespace(), target.name(), given.text(), scoped);
        RegistrationFormatter.formatResult(result, Instant.now()).forEach(this::printLine);
        printLine(target + " has a new kubeconfig");
        return ExitCode.OK;
    }
}
