package io.osmhub.deploy.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code hub cluster}: manages worker clusters. Without a subcommand, prints usage. */
@Command(
        name = "cluster",
        aliases = {"clusters", "wc"},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = {
            "Register, test and remove worker clusters, and rotate their credentials.",
            "With --server, uses the hub's API; otherwise your kubeconfig: list and get ask the hub through the management"
                    + " cluster, and the others use the management cluster directly, with your own permissions."
        },
        subcommands = {
            ClusterAddCommand.class,
            ClusterListCommand.class,
            ClusterGetCommand.class,
            ClusterTestCommand.class,
            ClusterRotateCommand.class,
            ClusterRenewCommand.class,
            ClusterPauseCommand.class,
            ClusterPauseCommand.Resume.class,
            ClusterRemoveCommand.class,
            ClusterReleaseCommand.class,
            ClusterRoleCommand.class,
            ClusterPrepareCommand.class,
            ClusterCleanCommand.class
        })
final class ClusterCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
