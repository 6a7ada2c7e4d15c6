package io.osmhub.deploy.cli;

import io.osmhub.deploy.cluster.LostObjects;
import io.osmhub.deploy.cluster.WorkerClient;
import io.osmhub.deploy.fleet.Clients;
import io.osmhub.deploy.fleet.Failing;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster clean}: removes from a worker cluster what a lost hub left there. */
@Command(
        name = "clean",
        mixinStandardHelpOptions = true,
        description = {
            "Remove what a hub that is gone left in a worker cluster: secrets, bootstrap tokens, finalizers, its account and roles.",
            "Only what carries the hub's marks or names. It lists them and asks first."
        })
final class ClusterCleanCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "Kubeconfig of an administrator of the worker cluster.")
    private @Nullable Path kubeconfig;

    @Option(names = "--dry-run", description = "List only.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    ClusterCleanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws FleetFailure {
        try (Clients clients = Clients.start()) {
            WorkerClient worker = WorkerClient.open(clients, Objects.requireNonNull(kubeconfig, "a required option"));
            try {
                return clean(worker);
            } catch (ApiFailure e) {
                throw Failing.of(e, worker.server());
            }
        }
    }

    private int clean(WorkerClient worker) throws ApiFailure {
        LostObjects lost;
        try (Progress _ = Progress.begin(terminal, worker.server())) {
            lost = LostObjects.find(worker.api());
        }
        lost.lines().forEach(line -> terminal.out().println("  " + line));
        if (lost.isEmpty()) {
            terminal.out().println("nothing of a hub is in " + worker.server());
            return ExitCode.OK;
        }
        if (dryRun) {
            terminal.out().println(lost.count() + " objects would be removed");
            return ExitCode.OK;
        }
        terminal.confirm("Remove these " + lost.count() + " from " + worker.server() + "?", yes);
        try (Progress _ = Progress.begin(terminal, worker.server())) {
            lost.remove();
        }
        terminal.out().println(lost.count() + " removed from " + worker.server());
        return ExitCode.OK;
    }
}
