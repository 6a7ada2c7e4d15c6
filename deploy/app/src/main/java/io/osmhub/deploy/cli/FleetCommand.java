package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb that works on the fleet: opens it, does its work, closes it. */
abstract class FleetCommand implements Callable<Integer> {
    private static final Duration GRACE = Duration.ofMillis(250);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(300);

    final Terminal terminal;

    @Mixin
    final FleetOptions options = new FleetOptions();

    private volatile @Nullable Progress progress;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    FleetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Of the management cluster; null for the usual places. */
    abstract @Nullable Path managementKubeconfig();

    abstract int run(FleetSource fleet, Remote remote) throws FleetFailure;

    /** How long the whole command may take; null for as long as its requests and waits do. */
    @Nullable Duration limit() throws FleetFailure {
        return null;
    }

    @Override
    public final Integer call() throws FleetFailure {
        // A plugin of kubectl always means the cluster of the kubeconfig.
        Map<String, String> environment = KubectlPlugin.runs(spec) ? Map.of() : System.getenv();
        Remote remote = options.remote(managementKubeconfig(), environment, this::hint);
        try (FleetSource fleet = remote.open()) {
            Duration limit = limit();
            try (Progress shown = Progress.begin(terminal, fleet.describe())) {
                progress = shown;
                if (follows()) {
                    shown.end();
                }
                return limit == null ? run(fleet, remote) : run(fleet, remote, limit);
            }
        }
    }

    /** Whether it goes on until somebody stops it, so that waiting is its work. */
    boolean follows() {
        return false;
    }

    private int run(FleetSource fleet, Remote remote, Duration limit) throws FleetFailure {
        FutureTask<Integer> work = new FutureTask<>(() -> run(fleet, remote));
        Thread thread = Thread.ofVirtual().start(work);
        try {
            // What waits for one answer says so itself, and better.
            return work.get(limit.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            throw new FleetFailure(
                    Kind.UNREACHABLE, "not done after " + limit.toSeconds() + " s; ask for less, or raise --timeout");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetFailure(Kind.UNREACHABLE, "interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case FleetFailure failure -> throw failure;
                case RuntimeException fault -> throw fault;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** The object that a command changes, and where. */
    static String workerCluster(FleetSource fleet, String namespace, String name) {
        return "WorkerCluster " + namespace + "/" + name + " at " + fleet.describe();
    }

    static void awaitNextPoll() throws FleetFailure {
        try {
            Thread.sleep(POLL_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetFailure(Kind.UNREACHABLE, "interrupted");
        }
    }

    void say(String line) {
        beRead();
        terminal.out().println(line);
    }

    private void beRead() {
        Progress shown = progress;
        if (shown != null) {
            shown.end();
        }
    }

    /** For an error beside results. */
    void complain(String line) {
        beRead();
        terminal.refuse(Plain.line(line));
    }

    /** For what is neither a result nor an error. */
    void hint(String line) {
        if (!options.quiet()) {
            beRead();
            terminal.err().println(Plain.line(line));
        }
    }
}
