package io.osmhub.deploy.cli;

import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.Credentials.Mode;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.credential.WorkerManifest;
import io.osmhub.tenancy.credential.WorkerRole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster rbac}: prints what the hub may do in a worker cluster. */
@Command(
        name = "rbac",
        mixinStandardHelpOptions = true,
        description = {
            "Print the worker role: the account, roles and bindings that the hub needs in a worker cluster.",
            "With a NAME what that WorkerCluster asks for is added; without one nothing is looked up."
        },
        footer = {"", "Example:", "  hub cluster rbac pay -n cluster-9tzl4w | kubectl --kubeconfig pay.yaml apply -f -"
        })
final class ClusterRoleCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private @Nullable String name;

    @Option(names = "--admission", description = "Besides, what keeping the hub's webhook there takes.")
    private boolean admission;

    @Option(names = "--scoped-fetch", description = "Besides, what tokens for single MachineDeployments take.")
    private boolean scopedFetch;

    @Option(names = "--renew", description = "Besides, what an account takes that renews its own token.")
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
        boolean scoped = spec != null && spec.credentials().mode() == Mode.SCOPED;
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
        WorkerAccount account = spec == null ? WorkerAccount.USUAL : WorkerAccount.of(spec.credentials());
        terminal.out().print(new WorkerRole(account, parts).yaml());
        return ExitCode.OK;
    }

    private @Nullable WorkerClusterSpec spec() throws FleetFailure {
        if (name == null) {
            return null;
        }
        Remote remote = options.remote(kubeconfig, System.getenv(), terminal.err()::println);
        try (FleetSource fleet = remote.open();
                Progress _ = Progress.begin(terminal, fleet.describe())) {
            return fleet.workerCluster(options.namespace(remote), name).spec();
        }
    }
}
