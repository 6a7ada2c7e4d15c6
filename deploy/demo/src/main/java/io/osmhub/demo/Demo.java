package io.osmhub.demo;

import io.osmhub.core.schema.DurationText;
import io.osmhub.demo.screen.ControllingTerminal;
import io.osmhub.demo.screen.LiveScreen;
import io.osmhub.demo.screen.PlainScreen;
import io.osmhub.demo.screen.Screen;
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
            "Show the hub at work: the real hub, and around it simulated clusters on this machine.",
            "A management cluster has the profiles and a kubeconfig Secret for each tenant; in the tenants' worker clusters"
                    + " MachineDeployments are created, and machines boot from the secrets that the hub publishes."
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
            description = "Worker clusters, 1 to 500 (${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--once",
            description =
                    "End as soon as every machine has booted: exit code 0, or 1 with the reasons after --timeout.")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "D",
            defaultValue = "60s",
            description = "How long --once waits (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String timeout;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "0",
            description =
                    "Port of the management cluster; the worker clusters have the next ones. 0 takes any that are free.")
    private int port;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private Demo() {}

    /** Entry point. */
    public static void main(String[] arguments) {
        System.exit(run(System.err, arguments));
    }

    /** Runs the command and returns the exit code; what keeps it from running is said in one line. */
    static int run(PrintStream err, String... arguments) {
        return new CommandLine(new Demo())
                .setExecutionExceptionHandler((fault, command, result) -> {
                    err.println("hub: demo: " + fault.getMessage());
                    return FAILED;
                })
                .setParameterExceptionHandler((mistake, ignored) -> {
                    err.println("hub: demo: " + mistake.getMessage() + "; ./hub demo --help lists the options");
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
        ControllingTerminal terminal = keys ? ControllingTerminal.keyByKey() : ControllingTerminal.asItIs();
        DemoRun.Options options =
                new DemoRun.Options(clusters, once, limit, port, keys, System.getProperty("osmhub.root", ""));
        Screen screen = live
                ? new LiveScreen(out, terminal::size, ControllingTerminal.wantsColour(System.getenv()))
                : new PlainScreen(out, InstantSource.system());
        CountDownLatch ended = new CountDownLatch(1);
        try (screen;
                DemoRun run = new DemoRun(options, screen, new HubInThisProcess(), _ -> {}, processStart())) {
            // Ctrl-C: what was begun is ended here too, and the exit code says that it was interrupted.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                run.stop();
                awaitEnd(ended);
            }));
            if (keys) {
                Thread.ofPlatform().daemon().name("keys").start(() -> readKeys(run));
            }
            return run.play();
        } finally {
            terminal.restore();
            ended.countDown();
        }
    }

    private Duration checked() {
        Duration limit = DurationText.parse(timeout);
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
                    "--port: " + port + " leaves no room for " + clusters + " more ports below 65536");
        }
        return limit;
    }

    private static void readKeys(DemoRun run) {
        try {
            for (int c = System.in.read(); c >= 0; c = System.in.read()) {
                run.press((char) c);
            }
        } catch (IOException noTerminalAnyMore) {
            run.stop();
        }
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("hub: demo: did not end within " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    // What a person waits for begins with the process, not with this class.
    private static long processStart() {
        long sinceStart = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        return System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(sinceStart);
    }
}
