package io.osmhub.deploy.cli;

import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.Credentials.CredentialsMode;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.tenancy.credential.WorkerManifest;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster rbac}: prints the permissions that the hub needs in a worker cluster. */
@Command(
        name = "rbac",
        mixinStandardHelpOptions = true,
        description = {
            "Print the worker role: the account, roles and bindings that the hub needs in a worker cluster.",
            "With NAME, includes the permissions for that WorkerCluster's features; without it, reads no cluster."
        },
        footer = {"", "Example:", "  hub cluster rbac pay -n cluster-9tzl4w | kubectl --kubeconfig pay.yaml apply -f -"
        })
final class ClusterRoleCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private @Nullable String name;

    @Option(names = "--admission", description = "Include permissions to manage the hub's webhook there.")
    private boolean admission;

    @Option(names = "--scoped-fetch", description = "Include permissions for tokens of single MachineDeployments.")
    private boolean scopedFetch;

    @Option(names = "--renew", description = "Include permissions to renew the account's own token.")
    private boolean renew;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    private final FleetOptions options = new FleetOptions();

    ClusterRoleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws FleetFailure {
        WorkerClusterSpec spec = spec();
        boolean scoped = spec != null && spec.credentials().mode() == CredentialsMode.SCOPED;
        List<WorkerManifest> parts = new ArrayList<>(List.of(WorkerManifest.ROLE));
        if (renew || scoped) {
            parts.add(WorkerManifest.RENEW);
        }
        if (admission) {
            parts.add(WorkerManifest.ADMISSION);
        }
        if (scopedFetch) {
            parts.add(WorkerManifest.SCOPED_FETCH);
        }
        WorkerServiceAccount account =
                spec == null ? WorkerServiceAccount.USUAL : WorkerServiceAccount.of(spec.credentials());
        terminal.out().print(new WorkerRole(account, parts).yaml());
        return ExitCode.OK;
    }

    private @Nullable WorkerClusterSpec spec() throws FleetFailure {
        if (name == null) {
            return null;
        }
        FleetEndpoint remote = options.endpoint(kubeconfig, System.getenv(), terminal.err()::println);
        try (RegistrationClient client = remote.openRegistrations();
                ProgressIndicator _ = ProgressIndicator.start(terminal, client.describe())) {
            return client.workerCluster(options.namespace(remote), name).spec();
        }
    }
}
