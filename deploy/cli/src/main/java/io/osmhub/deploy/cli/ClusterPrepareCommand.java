package io.osmhub.deploy.cli;

import io.osmhub.deploy.cluster.WorkerClient;
import io.osmhub.deploy.fleet.CommandClients;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.tenancy.credential.WorkerManifest;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster prepare}: creates what a worker cluster needs before the hub syncs it. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description = {
            "Create what a worker cluster needs before the hub syncs it: namespace cloud-init-settings and the account,"
                    + " role and token with which nodes fetch their configuration.",
            "Existing correct objects are not changed."
        },
        footer = {"", "Example:", "  hub cluster prepare shop --kubeconfig shop-admin.yaml"})
final class ClusterPrepareCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            description = "Name of the WorkerCluster, shown in the message.")
    private String name = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "TENANT",
            description = "Namespace of the tenant, shown in the message.")
    private String namespace = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig with administrator permissions in the worker cluster; the hub's own lacks them.")
    private @Nullable Path kubeconfig;

    ClusterPrepareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws FleetFailure {
        if (kubeconfig == null) {
            throw new FleetFailure(
                    FleetFailure.FleetFailureKind.UNUSABLE,
                    "no worker cluster: use an administrator's kubeconfig: hub cluster prepare"
                            + (name.isEmpty() ? "" : " " + name) + " --kubeconfig FILE");
        }
        try (CommandClients clients = CommandClients.start()) {
            WorkerClient worker = WorkerClient.open(clients, kubeconfig);
            try (ProgressIndicator _ = ProgressIndicator.start(terminal, worker.server())) {
                new WorkerRole(WorkerServiceAccount.USUAL, List.of(WorkerManifest.PREREQUISITES)).apply(worker.api());
            } catch (ApiFailure e) {
                throw FailureMessages.of(e, worker.server());
            }
            terminal.out().println("  created   Namespace cloud-init-settings");
            terminal.out().println("  created   ServiceAccount, Role and token Secret cloud-init-getter");
            String what = name.isEmpty() ? "" : (namespace.isEmpty() ? name : namespace + "/" + name) + " at ";
            terminal.out().println("Worker cluster " + what + worker.server() + " is prepared.");
            return ExitCode.OK;
        }
    }
}
