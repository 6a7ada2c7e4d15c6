package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A verb that works on the fleet: opens it, does its work, closes it. */
abstract class FleetCommand implements Callable<Integer> {
    final Terminal terminal;

    @Mixin
    final FleetOptions options = new FleetOptions();

    FleetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Of the management cluster; null for the usual places. */
    abstract @Nullable Path managementKubeconfig();

    abstract int run(FleetSource fleet, Remote remote) throws FleetFailure;

    @Override
    public final Integer call() throws FleetFailure {
        Remote remote = options.remote(managementKubeconfig(), System.getenv(), this::hint);
        try (FleetSource fleet = remote.open()) {
            return run(fleet, remote);
        }
    }

    void say(String line) {
        terminal.out().println(line);
    }

    /** For what is neither a result nor an error. */
    void hint(String line) {
        terminal.err().println(line);
    }
}
