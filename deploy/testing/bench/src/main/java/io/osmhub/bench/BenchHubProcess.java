package io.osmhub.bench;

import io.osmhub.sim.auth.SimulatedAuthority.CertifiedKey;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The shipped hub in its own process. Logs to a file. */
final class BenchHubProcess implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final Process process;
    private final Path log;
    private final long started;

    private BenchHubProcess(Process process, Path log, long started) {
        this.process = process;
        this.log = log;
        this.started = started;
    }

    /**
     * Starts the hub.
     *
     * @param javaOptions additional options
     * @param log file to overwrite
     */
    static BenchHubProcess start(List<String> command, String javaOptions, Path log) throws IOException {
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
        return new BenchHubProcess(process, log, started);
    }

    /** Waits until the hub is ready and returns the time since its start. */
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

    /** Throws with the end of its log if the process has exited. */
    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the hub exited with code " + process.exitValue() + lastWords());
        }
    }

    /** Stops the hub and returns how long it took; kills it on timeout. */
    Duration stop() throws InterruptedException {
        return stop(LONGEST_STOP);
    }

    /** As {@link #stop()}, with another timeout. */
    Duration stop(Duration patience) throws InterruptedException {
        long asked = System.nanoTime();
        process.destroy();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return Duration.ofNanos(System.nanoTime() - asked);
    }

    /** Waits for the process to exit; throws with the end of its log on failure. */
    void awaitExit(Duration patience) throws IOException, InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("the hub did not exit within " + patience.toSeconds() + " s" + lastWords());
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
            return last.isEmpty() ? "; its log is empty" : "; end of its log:\n" + String.join("\n", last);
        }
    }

    /** The configuration of a measured hub: with API, console, health and metrics on free ports. */
    record HubSetup(Path configuration, int apiPort, int healthPort, int metricsPort) {
        private static final int LOOPBACK_BACKLOG = 1;
        private static final int FIRST_PORT = 20_000;
        private static final int END_OF_PORTS = 30_000;
        private static final int PORT_ATTEMPTS = 100;

        /** Writes the hub's files into a folder. */
        static HubSetup of(MeasuredFleet fleet, Path folder) throws IOException {
            int apiPort = freePort();
            int healthPort = freePort();
            int metricsPort = freePort();
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), fleet.managementKubeconfig());
            Path configuration = Files.writeString(
                    folder.resolve("hub.yaml"), """
                    apiVersion: config.osmhub.io/v1alpha1
                    kind: HubConfiguration
                    management: {kubeconfig: "%s"}
                    kubeconfigPolicy: {allow: [Loopback]}
                    replicas: {mode: Single}
                    # A token for each MachineDeployment would be another load.
                    defaults: {provisioning: {bootstrap: {nodeFetch: SharedToken}}}
                    api:
                      address: "127.0.0.1:%d"
                    webhooks: {address: ""}
                    health: {address: "127.0.0.1:%d"}
                    metrics: {address: "127.0.0.1:%d"}
                    """.formatted(kubeconfig, apiPort, healthPort, metricsPort));
            return new HubSetup(configuration, apiPort, healthPort, metricsPort);
        }

        /** Lets the hub serve its API and console with this certificate instead of its own, and returns the port. */
        int serveApi(CertifiedKey certificate) throws IOException {
            replace("api:\n", """
                    api:
                      tls: %s
                      rateLimit: {requestsPerMinute: 1000000, burst: 1000000}
                    """.formatted(write(certificate, "api")));
            return apiPort;
        }

        /** Lets the hub serve admission webhooks with this certificate instead of its own, and returns the port. */
        int serveWebhooks(CertifiedKey certificate) throws IOException {
            int port = freePort();
            replace(
                    "webhooks: {address: \"\"}",
                    "webhooks: {address: \"127.0.0.1:%d\", certificate: {provided: %s}}"
                            .formatted(port, write(certificate, "webhooks")));
            return port;
        }

        private void replace(String line, String by) throws IOException {
            Files.writeString(configuration, Files.readString(configuration).replace(line, by));
        }

        /** Writes the files into a new folder, and returns their paths as in a configuration. */
        private String write(CertifiedKey certificate, String name) throws IOException {
            Path folder = Files.createDirectory(configuration.resolveSibling(name));
            Path certFile = Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
            Path keyFile = Files.writeString(folder.resolve("tls.key"), certificate.keyPem());
            return "{certFile: \"%s\", keyFile: \"%s\"}".formatted(certFile, keyFile);
        }

        /** A file beside the configuration. */
        Path log(String name) {
            return configuration.resolveSibling(name);
        }

        List<String> command(Path program) {
            return List.of(program.toString(), "run", "--config=" + configuration);
        }

        // Below the ephemeral ports: thousands of connections are opened before the hub listens.
        private static int freePort() throws IOException {
            IOException taken = new IOException("none was tried");
            for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
                int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
                try (ServerSocket socket = new ServerSocket(port, LOOPBACK_BACKLOG, InetAddress.getLoopbackAddress())) {
                    return socket.getLocalPort();
                } catch (BindException e) {
                    taken = e;
                }
            }
            throw new IOException("no free port from " + FIRST_PORT + " to " + END_OF_PORTS, taken);
        }
    }

    /** Lays out the program as in the distribution, with {@code bin/hub} and its JVM options, from a built checkout. */
    static final class DistributionLayout {
        private DistributionLayout() {}

        /** Lays it out in a folder and returns the program. */
        static Path copyTo(Path folder, Path checkout) throws IOException, InterruptedException {
            Path app = checkout.resolve("deploy/cli/target");
            Path libraries = Files.createDirectories(folder.resolve("lib"));
            for (Path jar : Stream.concat(jars(app.resolve("lib")).stream(), jars(app).stream())
                    .toList()) {
                Path library = libraries.resolve(jar.getFileName());
                if (jar.getFileName().toString().startsWith("picocli-")) {
                    Files.copy(jar, library);
                    upgradeClasses(library, checkout);
                } else {
                    Files.createSymbolicLink(library, jar.toAbsolutePath());
                }
            }
            Path program = Files.createDirectories(folder.resolve("bin")).resolve("hub");
            // Copy, because the script resolves links to find its libraries.
            Files.copy(checkout.resolve("deploy/packaging/image/bin/hub"), program, StandardCopyOption.COPY_ATTRIBUTES);
            return program;
        }

        /** As {@code dist} does, because an AOT cache cannot contain classes of an old format. */
        private static void upgradeClasses(Path jar, Path checkout) throws IOException, InterruptedException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            checkout.resolve("deploy/packaging/image/UpgradeClasses.java")
                                    .toString(),
                            jar.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("cannot upgrade the classes of " + jar + ": " + output);
            }
        }

        private static List<Path> jars(Path folder) throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(DistributionLayout::isLibrary).toList();
            }
        }

        private static boolean isLibrary(Path file) {
            String name = file.getFileName().toString();
            return name.endsWith(".jar") && !name.endsWith("-tests.jar") && !name.endsWith("-sources.jar");
        }
    }
}
