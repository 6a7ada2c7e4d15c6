package io.osmhub.e2e.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One process that a test started: its output in a file, and two ways to end it. */
public final class ServerProcess implements AutoCloseable {
    private final String name;
    private final Path log;
    private final long begin;
    private final Process process;

    private ServerProcess(String name, Path log, long begin, Process process) {
        this.name = name;
        this.log = log;
        this.begin = begin;
        this.process = process;
    }

    /**
     * Starts a process whose output goes to {@code log}, after what is there already.
     *
     * @param environment is all that the process gets of an environment, so that nothing of the tester's leaks into it
     */
    public static ServerProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            long begin = Files.exists(log) ? Files.size(log) : 0;
            ServerProcess started = new ServerProcess(name, log, begin, builder.start());
            // A test run that is cut short must not leave API servers behind.
            Runtime.getRuntime().addShutdownHook(new Thread(started.process::destroyForcibly));
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started", e);
        }
    }

    /** Process id. */
    public long pid() {
        return process.pid();
    }

    public boolean running() {
        return process.isAlive();
    }

    /** Processor time that it has used; zero where the system does not report it, or after it ended. */
    public Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** SIGTERM, and SIGKILL when that does not end it within {@code seconds}. Returns the exit code. */
    public int stop(int seconds) {
        process.destroy();
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                kill();
            }
            return process.waitFor();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** SIGKILL; returns when the process has exited. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Exit code of a process that exits within {@code seconds}. */
    public int awaitExit(int seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " did not end within " + seconds + " s\n" + tail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Everything that it printed, without earlier output of other processes to the same file. */
    public String output() {
        try (InputStream in = Files.newInputStream(log)) {
            in.skipNBytes(begin);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last lines that it printed, for a test that fails. */
    public String tail() {
        List<String> lines = output().lines().toList();
        return name + ", last lines of " + log + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    @Override
    public void close() {
        if (running()) {
            stop(20);
        }
    }
}
