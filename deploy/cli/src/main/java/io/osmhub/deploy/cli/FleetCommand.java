package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetOptions.ManagementOptions;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A verb that works on the fleet: opens a client, runs, closes it. */
abstract class FleetCommand<C extends RegistrationClient> extends TerminalCommand {
    private static final Duration GRACE = Duration.ofMillis(250);

    @Mixin
    final FleetOptions options;

    private volatile @Nullable ProgressIndicator progress;

    /** Whether the time limit is reached: a watch that ends prints no broken connection. */
    private volatile boolean over;

    FleetCommand() {
        this(new ManagementOptions());
    }

    FleetCommand(FleetOptions options) {
        this.options = options;
    }

    abstract C open(FleetEndpoint remote);

    abstract int run(C client, FleetEndpoint remote);

    /** Time limit of the whole command; null if only its requests and waits are limited. */
    @Nullable Duration limit() {
        return null;
    }

    @Override
    public Integer call() {
        if (runsUntilInterrupted()) {
            options.limitRequestsSeparately();
        }
        FleetEndpoint remote = options.endpoint(System.getenv(), this::printHint);
        try (C client = open(remote)) {
            Duration limit = limit();
            try (ProgressIndicator shown = ProgressIndicator.start(terminal, client.describe())) {
                progress = shown;
                if (runsUntilInterrupted()) {
                    shown.stop();
                }
                return limit == null ? run(client, remote) : run(client, remote, limit);
            }
        }
    }

    /** Whether the command runs until interrupted, so that it has no time limit. */
    boolean runsUntilInterrupted() {
        return false;
    }

    private int run(C client, FleetEndpoint remote, Duration limit) {
        FutureTask<Integer> work = new FutureTask<>(() -> run(client, remote));
        Thread thread = Thread.ofPlatform().daemon().start(work);
        try {
            // A request's own timeout comes first and has a better message.
            return work.get(limit.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            over = true;
            thread.interrupt();
            if (runsUntilInterrupted()) {
                return ExitCode.OK;
            }
            throw CommandFailure.unreachable(
                    "timed out after " + limit.toSeconds() + " s; request less or raise --timeout");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.unreachable("interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException fault -> throw fault;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    void printLine(String line) {
        beRead();
        terminal.out().println(line);
    }

    /** Prints in a format for programs; returns false for names and tables. */
    boolean printStructured(PrintOptions print, Object body) {
        Optional<String> text = print.printStructured(body);
        text.ifPresent(one -> {
            beRead();
            terminal.out().print(one);
            terminal.out().flush();
        });
        return text.isPresent();
    }

    private void beRead() {
        ProgressIndicator shown = progress;
        if (shown != null) {
            shown.stop();
        }
    }

    /** Prints an error between results. */
    void printError(String line) {
        beRead();
        terminal.printRefusal(TerminalSanitizer.sanitizeLine(line));
    }

    /** Prints what is neither a result nor an error. */
    void printHint(String line) {
        if (!options.quiet() && !over) {
            beRead();
            terminal.err().println(TerminalSanitizer.sanitizeLine(line));
        }
    }
}
