package io.osmhub.deploy.cli;

import io.osmhub.deploy.cluster.LeftoverObjects;
import io.osmhub.deploy.cluster.WorkerClient;
import io.osmhub.deploy.fleet.CommandClients;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster clean}: removes the leftovers of a removed hub from a worker cluster. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        description = {
            "Remove leftovers of a removed hub from a worker cluster: secrets, bootstrap tokens, finalizers, its account and roles.",
            "Removes only objects with the hub's labels or names, after listing them and a confirmation."
        })
final class ClusterCleanCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "Kubeconfig with administrator permissions in the worker cluster.")
    private @Nullable Path kubeconfig;

    @Option(names = "--dry-run", description = "List the objects without removing them.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Skip the confirmation.")
    private boolean yes;

    ClusterCleanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws FleetFailure {
        try (CommandClients clients = CommandClients.start()) {
            WorkerClient worker = WorkerClient.open(clients, Objects.requireNonNull(kubeconfig, "a required option"));
            try {
                return clean(worker);
            } catch (ApiFailure e) {
                throw FailureMessages.of(e, worker.server());
            }
        }
    }

    private int clean(WorkerClient worker) throws ApiFailure {
        LeftoverObjects lost;
        try (ProgressIndicator _ = ProgressIndicator.start(terminal, worker.server())) {
            lost = LeftoverObjects.find(worker.api());
        }
        lost.lines().forEach(line -> terminal.out().println("  " + line));
        if (lost.isEmpty()) {
            terminal.out().println("no leftovers of a hub in " + worker.server());
            return ExitCode.OK;
        }
        if (dryRun) {
            terminal.out().println(lost.count() + " objects would be removed");
            return ExitCode.OK;
        }
        terminal.confirm("Remove these " + lost.count() + " objects from " + worker.server() + "?", yes);
        try (ProgressIndicator _ = ProgressIndicator.start(terminal, worker.server())) {
            lost.remove();
        }
        terminal.out().println(lost.count() + " objects removed from " + worker.server());
        return ExitCode.OK;
    }
}
