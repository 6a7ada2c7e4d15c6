package io.osmhub.deploy.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The management cluster option of verbs whose {@code --kubeconfig} is a worker cluster's. */
final class ManagementKubeconfig {
    @Option(
            names = "--management-kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the management cluster. Default: $KUBECONFIG, ~/.kube/config.")
    private @Nullable Path file;

    @Nullable Path file() {
        return file;
    }
}
