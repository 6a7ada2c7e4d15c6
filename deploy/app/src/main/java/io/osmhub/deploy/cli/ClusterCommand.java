package io.osmhub.deploy.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code hub cluster}: registers worker clusters and keeps them. Alone, it lists its verbs. */
@Command(
        name = "cluster",
        aliases = {"clusters", "wc"},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = {
            "Register worker clusters, test them, exchange their credentials, remove them.",
            "Through the hub's API (--server), or straight against the management cluster with your own rights."
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
