package io.osmhub.deploy.cli;

import io.osmhub.deploy.cluster.WorkerClient;
import io.osmhub.deploy.fleet.Clients;
import io.osmhub.deploy.fleet.Failing;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.credential.WorkerManifest;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster prepare}: makes in a worker cluster what has to be there before the hub. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description = {
            "Make what a worker cluster needs before the hub comes: namespace cloud-init-settings, and the account,"
                    + " role and token with which nodes fetch their configuration.",
            "What is there already is left as it is right."
        },
        footer = {"", "Example:", "  hub cluster prepare shop --kubeconfig shop-admin.yaml"})
final class ClusterPrepareCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            description = "Name of the WorkerCluster, for the message.")
    private String name = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "TENANT",
            description = "Namespace of the tenant, for the message.")
    private String namespace = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of an administrator of the worker cluster: the hub's own may not do this.")
    private @Nullable Path kubeconfig;

    ClusterPrepareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws FleetFailure {
        if (kubeconfig == null) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE,
                    "which worker cluster? give an administrator's kubeconfig: hub cluster prepare"
                            + (name.isEmpty() ? "" : " " + name) + " --kubeconfig FILE");
        }
        try (Clients clients = Clients.start()) {
            WorkerClient worker = WorkerClient.open(clients, kubeconfig);
            try (Progress _ = Progress.begin(terminal, worker.server())) {
                new WorkerRole(WorkerAccount.USUAL, List.of(WorkerManifest.PREREQUISITES)).make(worker.api());
            } catch (ApiFailure e) {
                throw Failing.of(e, worker.server());
            }
            terminal.out().println("  made      Namespace cloud-init-settings");
            terminal.out().println("  made      ServiceAccount, Role and token Secret cloud-init-getter");
            String what = name.isEmpty() ? "" : (namespace.isEmpty() ? name : namespace + "/" + name) + " at ";
            terminal.out().println("Worker cluster " + what + worker.server() + " is prepared.");
            return ExitCode.OK;
        }
    }
}
