package io.osmhub.demo;

import io.osmhub.core.schema.DurationFormat;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub demo}. */
@Command(
        name = "./hub demo",
        description = {
            "Run a demo of the real hub with simulated clusters on this machine.",
            "A management cluster contains the profiles and a kubeconfig Secret per tenant; in the tenants' worker clusters"
                    + " MachineDeployments are created and machines boot from the secrets that the hub publishes."
        },
        mixinStandardHelpOptions = true)
public final class Demo implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int UNUSABLE_INPUT = 2;
    private static final int MOST_CLUSTERS = 500;
    private static final int HIGHEST_PORT = 65_535;
    private static final long STOP_SECONDS = 15;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of worker clusters, 1 to 500 (${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--once",
            description =
                    "Stop when every machine has booted (exit code 0) or after --timeout (exit code 1, with reasons).")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "D",
            defaultValue = "60s",
            description = "Time limit of --once (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String timeout;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "0",
            description = "Port of the management cluster; worker clusters use the following ones. 0 uses free ports.")
    private int port;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Demo() {}

    /** Entry point. */
    public static void main(String[] arguments) {
        System.exit(run(System.err, arguments));
    }

    /** Runs the command and returns the exit code; prints start errors in one line. */
    static int run(PrintStream err, String... arguments) {
        return new CommandLine(new Demo())
                .setExecutionExceptionHandler((fault, command, result) -> {
                    err.println("hub: demo: " + fault.getMessage());
                    return FAILED;
                })
                .setParameterExceptionHandler((mistake, ignored) -> {
                    err.println("hub: demo: " + mistake.getMessage() + "; list the options with ./hub demo --help");
                    return UNUSABLE_INPUT;
                })
                .execute(arguments);
    }

    @Override
    public Integer call() throws Exception {
        Duration limit = checked();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        boolean live = !once && ControllingTerminal.showsOutput(System.getenv());
        boolean keys = live && ControllingTerminal.readsKeys();
        ControllingTerminal terminal =
                keys ? ControllingTerminal.openCharacterMode() : ControllingTerminal.openUnchanged();
        DemoRun.Options options =
                new DemoRun.Options(clusters, once, limit, port, keys, System.getProperty("osmhub.root", ""));
        DemoScreen screen = live
                ? new LiveScreen(out, terminal::size, ControllingTerminal.wantsColour(System.getenv()))
                : new PlainScreen(out, InstantSource.system());
        CountDownLatch ended = new CountDownLatch(1);
        try (screen;
                DemoRun run = new DemoRun(options, screen, new InProcessHub(), _ -> {}, processStart())) {
            // Ctrl-C: clean up here too; the exit code reports the interrupt.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                run.stop();
                awaitEnd(ended);
            }));
            if (keys) {
                Thread.ofPlatform().daemon().name("keys").start(() -> readKeys(run));
            }
            return run.run();
        } finally {
            terminal.restore();
            ended.countDown();
        }
    }

    private Duration checked() {
        Duration limit = DurationFormat.parse(timeout);
        if (limit == null || limit.isZero()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--timeout: \"" + timeout + "\" is not a valid duration; write for example 90s or 2m");
        }
        if (clusters < 1 || clusters > MOST_CLUSTERS) {
            throw new ParameterException(
                    spec.commandLine(), "--clusters: " + clusters + " is not between 1 and " + MOST_CLUSTERS);
        }
        if (port < 0 || port + clusters > HIGHEST_PORT) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port: " + port + ": expected room for " + clusters + " more ports below 65536");
        }
        return limit;
    }

    private static void readKeys(DemoRun run) {
        try {
            for (int c = System.in.read(); c >= 0; c = System.in.read()) {
                run.onKeyPressed((char) c);
            }
        } catch (IOException noTerminalAnyMore) {
            run.stop();
        }
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("hub: demo: did not stop within " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    // Users wait from the start of the process, not of this class.
    private static long processStart() {
        long sinceStart = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        return System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(sinceStart);
    }
}
