package io.osmhub.bench.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The hub as it is shipped, in a process of its own. Its log goes to a file. */
final class HubProcess implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final Process process;
    private final Path log;
    private final long started;

    private HubProcess(Process process, Path log, long started) {
        this.process = process;
        this.log = log;
        this.started = started;
    }

    /**
     * Starts it with a command, {@code java} and its options and all.
     *
     * @param javaOptions in addition to those that it has anyway
     * @param log is replaced
     */
    static HubProcess start(List<String> command, String javaOptions, Path log) throws IOException {
        long started = System.nanoTime();
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        if (!javaOptions.isEmpty()) {
            builder.environment().put("JAVA_OPTS", javaOptions);
        }
        Process process = builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new HubProcess(process, log, started);
    }

    /** Waits until it says of itself that it is ready, and returns how long that took since its start. */
    Duration awaitReady(int healthPort) throws IOException, InterruptedException {
        URI ready = URI.create("http://127.0.0.1:" + healthPort + "/readyz");
        HttpRequest request =
                HttpRequest.newBuilder(ready).timeout(Duration.ofSeconds(2)).build();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            while (sinceStart().compareTo(LONGEST_START) < 0) {
                requireAlive();
                try {
                    if (client.send(request, HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            == 200) {
                        return sinceStart();
                    }
                } catch (IOException notListeningYet) {
                    requireAlive();
                }
                Thread.sleep(BETWEEN_TRIES);
            }
        }
        throw new IOException("the hub was not ready within " + LONGEST_START.toSeconds() + " s" + lastWords());
    }

    Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    long pid() {
        return process.pid();
    }

    /** Throws what it said last when it is not there any more. */
    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the hub ended by itself with exit code " + process.exitValue() + lastWords());
        }
    }

    /** Asks it to stop and says how long that took; it is killed when it does not. */
    Duration stop() throws InterruptedException {
        return stop(LONGEST_STOP);
    }

    /** Likewise, for one that has more to do in the end than a service has. */
    Duration stop(Duration patience) throws InterruptedException {
        long asked = System.nanoTime();
        process.destroy();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return Duration.ofNanos(System.nanoTime() - asked);
    }

    /** Waits until it has ended by itself, and throws what it said last when that was no success. */
    void awaitEnd(Duration patience) throws IOException, InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("the hub did not end within " + patience.toSeconds() + " s" + lastWords());
        }
        if (process.exitValue() != 0) {
            requireAlive();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private String lastWords() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.toList();
            List<String> last = all.subList(Math.max(0, all.size() - 10), all.size());
            return last.isEmpty() ? "; it said nothing" : "; it said last:\n" + String.join("\n", last);
        }
    }
}
