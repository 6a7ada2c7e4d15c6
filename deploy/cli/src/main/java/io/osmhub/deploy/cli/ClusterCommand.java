package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.Credentials.CredentialsMode;
import io.osmhub.deploy.fleet.ClusterClient;
import io.osmhub.deploy.fleet.CommandClients;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetOptions.ManagementOptions;
import io.osmhub.deploy.fleet.LeftoverObjects;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.tenancy.credential.WorkerManifest;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster}: manages worker clusters. Without a subcommand, prints usage. */
@Command(
        name = "cluster",
        aliases = {"clusters", "wc"},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = {
            "Register, test and remove worker clusters, and rotate their credentials.",
            "With --server, uses the hub's API; otherwise the management cluster directly, with your own permissions.",
            "hub get clusters lists them."
        },
        subcommands = {
            ClusterAddCommand.class,
            WorkerKubeconfigCommand.Test.class,
            WorkerKubeconfigCommand.Rotate.class,
            ClusterCommand.Renew.class,
            ClusterCommand.Pause.class,
            ClusterCommand.Resume.class,
            ClusterCommand.Adopt.class,
            ConfirmedChange.Remove.class,
            ConfirmedChange.Release.class,
            ClusterCommand.TakeOver.class,
            ClusterCommand.Role.class,
            ClusterCommand.Prepare.class,
            ClusterCommand.Clean.class
        })
final class ClusterCommand extends CommandGroup {
    /** {@code hub cluster renew}: renews the scoped credential now. */
    @Command(
            name = "renew",
            mixinStandardHelpOptions = true,
            description =
                    "Renew the scoped credential of a worker cluster now instead of after a third of its lifetime.")
    static final class Renew extends RegistrationCommand {
        @Override
        int run(RegistrationTarget target) {
            target.client().renew(target.namespace(), target.name());
            printLine(target
                    + (target.client() instanceof ManagementClient
                            ? ": renewal requested"
                            : ": scoped credential renewed"));
            return ExitCode.OK;
        }
    }

    /** Sets one field of a WorkerCluster's spec. */
    abstract static class SpecChange extends RegistrationCommand {
        private final String field;
        private final JsonNode value;
        private final String outcome;

        SpecChange(String field, JsonNode value, String outcome) {
            this.field = field;
            this.value = value;
            this.outcome = outcome;
        }

        @Override
        int run(RegistrationTarget target) {
            target.set(field, value);
            printLine(target + outcome);
            return ExitCode.OK;
        }
    }

    /** {@code hub cluster takeover}: lets the hub own what a former hub wrote. */
    @Command(
            name = "takeover",
            mixinStandardHelpOptions = true,
            description = {
                "Take over what another hub wrote to a worker cluster, for example if Secret osm-hub-identity was not restored.",
                "Stop that hub first: two hubs overwrite each other's secrets. The takeover itself writes no secret."
            })
    static final class TakeOver extends RegistrationCommand {
        @Option(
                names = "--from",
                required = true,
                paramLabel = "ID",
                description = "The other hub: annotation osmhub.io/hub-id of what it wrote.")
        private String former = "";

        @Option(names = "--yes", description = "Skip the confirmation that the other hub is stopped.")
        private boolean yes;

        @Override
        int run(RegistrationTarget target) {
            SortedSet<String> ids = formerHubs(target.read());
            terminal.confirm("Is the hub " + former + " stopped, and is " + target + " to be taken over from it?", yes);
            ids.add(former);
            ArrayNode changed = JsonNodeFactory.instance.arrayNode();
            ids.forEach(changed::add);
            if (!formerHubs(target.set("formerHubIDs", changed)).contains(former)) {
                throw CommandFailure.unusable("the CustomResourceDefinition of WorkerClusters has no field"
                        + " spec.formerHubIDs; run: hub install crds");
            }
            printLine(target + ": taken over from the hub " + former);
            return ExitCode.OK;
        }

        private static SortedSet<String> formerHubs(WorkerClusterEntry cluster) {
            return new TreeSet<>(Objects.requireNonNullElse(cluster.spec().formerHubIDs(), List.of()));
        }
    }

    /** {@code hub cluster pause}. */
    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Pause a worker cluster: the hub writes nothing to it, and its bootstrap tokens expire.")
    static final class Pause extends SpecChange {
        Pause() {
            super("paused", BooleanNode.TRUE, " paused; its bootstrap tokens expire and are not renewed");
        }
    }

    /** {@code hub cluster resume}. */
    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Resume a paused worker cluster.")
    static final class Resume extends SpecChange {
        Resume() {
            super("paused", BooleanNode.FALSE, " resumed");
        }
    }

    /** {@code hub cluster adopt}: replaces what OSM published. */
    @Command(
            name = "adopt",
            mixinStandardHelpOptions = true,
            description = {
                "Publish the hub's content for MachineDeployments that Operating System Manager (OSM) served, where it differs from OSM's.",
                "Until then, the hub keeps and reports it (OSMContentKept). hub migrate takes over without a difference."
            })
    static final class Adopt extends SpecChange {
        Adopt() {
            super("osmContent", TextNode.valueOf("Replace"), ": the hub's content replaces OSM's");
        }
    }

    /** {@code hub cluster rbac}: prints the permissions that the hub needs in a worker cluster. */
    @Command(
            name = "rbac",
            mixinStandardHelpOptions = true,
            description = {
                "Print the worker role: the account, roles and bindings that the hub needs in a worker cluster.",
                "With NAME, includes the permissions for that WorkerCluster's features; without it, reads no cluster."
            },
            footer = {
                "",
                "Example:",
                "  hub cluster rbac pay -n cluster-9tzl4w | kubectl --kubeconfig pay.yaml apply -f -"
            })
    static final class Role extends TerminalCommand implements OptionalConnection {
        @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Name of the WorkerCluster.")
        private @Nullable String name;

        @Option(names = "--admission", description = "Include permissions to manage the hub's webhook there.")
        private boolean admission;

        @Option(names = "--scoped-fetch", description = "Include permissions for tokens of single MachineDeployments.")
        private boolean scopedFetch;

        @Option(names = "--renew", description = "Include permissions to renew the account's own token.")
        private boolean renew;

        @Mixin
        private final FleetOptions options = new ManagementOptions();

        @Override
        public @Nullable String whyNotConnected() {
            return name == null ? "without NAME of a WorkerCluster" : null;
        }

        @Override
        public Integer call() {
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

        private @Nullable WorkerClusterSpec spec() {
            if (name == null) {
                return null;
            }
            FleetEndpoint remote = options.endpoint(System.getenv(), terminal.err()::println);
            try (RegistrationClient client = remote.openRegistrations();
                    ProgressIndicator _ = ProgressIndicator.start(terminal, client.describe())) {
                return client.workerCluster(options.namespace(remote), name).spec();
            }
        }
    }

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
    static final class Prepare extends TerminalCommand {
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
                description =
                        "Kubeconfig with administrator permissions in the worker cluster; the hub's own lacks them.")
        private @Nullable Path kubeconfig;

        @Override
        public Integer call() {
            if (kubeconfig == null) {
                throw CommandFailure.unusable(
                        "no worker cluster: use an administrator's kubeconfig: hub cluster prepare"
                                + (name.isEmpty() ? "" : " " + name) + " --kubeconfig FILE");
            }
            try (CommandClients clients = CommandClients.start()) {
                ClusterClient worker = ClusterClient.open(clients, kubeconfig);
                try (ProgressIndicator _ = ProgressIndicator.start(terminal, worker.server())) {
                    new WorkerRole(WorkerServiceAccount.USUAL, List.of(WorkerManifest.PREREQUISITES))
                            .apply(worker.api());
                } catch (ApiFailure e) {
                    throw FailureMessages.ofWorker(e, worker.server());
                }
                terminal.out().println("  applied   Namespace cloud-init-settings");
                terminal.out().println("  applied   ServiceAccount, Role and token Secret cloud-init-getter");
                String what = name.isEmpty() ? "" : (namespace.isEmpty() ? name : namespace + "/" + name) + " at ";
                terminal.out().println("Worker cluster " + what + worker.server() + " prepared");
                return ExitCode.OK;
            }
        }
    }

    /** {@code hub cluster clean}: removes the leftovers of a removed hub from a worker cluster. */
    @Command(
            name = "clean",
            mixinStandardHelpOptions = true,
            description = {
                "Remove leftovers of a removed hub from a worker cluster: secrets, bootstrap tokens, finalizers, its account and roles.",
                "Removes only objects with the hub's labels or names, after listing them and a confirmation."
            })
    static final class Clean extends TerminalCommand {
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

        @Override
        public Integer call() {
            try (CommandClients clients = CommandClients.start()) {
                return clean(ClusterClient.open(clients, Objects.requireNonNull(kubeconfig, "a required option")));
            }
        }

        private int clean(ClusterClient worker) {
            LeftoverObjects lost;
            try (ProgressIndicator _ = ProgressIndicator.start(terminal, worker.server())) {
                lost = LeftoverObjects.find(worker);
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
}
