package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/** The installed hub: {@code bin/hub} of the distribution in a separate process with its own environment. */
final class InstalledHub implements AutoCloseable {
    /** Namespace of the management cluster that the manifests install the hub in. */
    static final String NAMESPACE = "osm-hub";

    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    private final ServerProcess process;
    private final int healthPort;
    private final int metricsPort;
    private final HttpClient http = HttpClient.newHttpClient();

    private InstalledHub(ServerProcess process, int healthPort, int metricsPort) {
        this.process = process;
        this.healthPort = healthPort;
        this.metricsPort = metricsPort;
    }

    /** Starts {@code hub run} with a configuration and more arguments. */
    static InstalledHub run(Path folder, Path kubeconfig, String configuration, String... arguments) {
        return replica("osm-hub-0", Distribution.program(), folder, kubeconfig, configuration, arguments);
    }

    /** Starts {@code hub run} of a distribution as one of several pods; each needs a folder of its own. */
    static InstalledHub replica(
            String pod, Path program, Path folder, Path kubeconfig, String configuration, String... arguments) {
        return replica(pod, program, folder, kubeconfig, configuration, Map.of(), arguments);
    }

    /** The same with more environment variables. */
    static InstalledHub replica(
            String pod,
            Path program,
            Path folder,
            Path kubeconfig,
            String configuration,
            Map<String, String> more,
            String... arguments) {
        Path file = write(folder.resolve("hub.yaml"), configuration);
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("POD_NAME", pod);
        environment.put("POD_UID", UUID.nameUUIDFromBytes(pod.getBytes(UTF_8)).toString());
        List<String> command = new ArrayList<>(
                List.of("run", "--config=" + file, "--kubeconfig=" + kubeconfig, "--namespace=" + NAMESPACE));
        command.addAll(List.of(arguments));
        return start(program, folder, command, environment, "--health-address=", "--metrics-address=");
    }

    /** Starts {@code hub controller} with flags and environment of the peer. */
    static InstalledHub controller(Path folder, List<String> flags, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("controller"));
        command.addAll(flags);
        return start(
                Distribution.program(), folder, command, environment, "-health-probe-address=", "-metrics-address=");
    }

    private static InstalledHub start(
            Path program,
            Path folder,
            List<String> arguments,
            Map<String, String> more,
            String healthFlag,
            String metricsFlag) {
        int health = FreePort.find();
        int metrics = FreePort.find();
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(arguments);
        command.add(healthFlag + "127.0.0.1:" + health);
        command.add(metricsFlag + "127.0.0.1:" + metrics);
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", "/usr/bin:/bin");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", folder.toString());
        environment.put("POD_NAME", "osm-hub-0");
        environment.put("POD_NAMESPACE", NAMESPACE);
        environment.put("POD_UID", "0f4b8a52-2c5f-4e7e-9a53-000000000000");
        environment.putAll(more);
        // As much as a test has of memory, on as few threads as a small node gives.
        environment.put("JAVA_OPTS", "-Xmx384m");
        return new InstalledHub(
                ServerProcess.start("hub", command, environment, folder.resolve("hub.log")), health, metrics);
    }

    /** Runs {@code hub why} through the API on a port of the loopback, as a user who may do everything. */
    static CommandResult why(RealCluster management, int port, String tenant, String machineDeployment) {
        return command(management, port, "why", "md", machineDeployment, "-n", tenant);
    }

    /** Runs a verb of {@code hub} through the API on a port of the loopback, as a user who may do everything. */
    static CommandResult command(RealCluster management, int port, String... verb) {
        management.admin().apply("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {namespace: default, name: operator}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: operator-may-everything}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{kind: ServiceAccount, namespace: default, name: operator}]
                """);
        JsonNode authority = management.admin().get(ApiResource.SECRETS.in(NAMESPACE, "osm-hub-webhook-tls"));
        Path folder = management.folder();
        List<String> command = new ArrayList<>(List.of(Distribution.program().toString()));
        command.addAll(List.of(verb));
        command.addAll(List.of(
                "--server",
                "https://127.0.0.1:" + port,
                "--token-file",
                write(folder.resolve("operator.token"), management.tokenFor("osm-hub", "default", "operator"))
                        .toString(),
                "--ca-file",
                write(folder.resolve("osm-hub.pem"), ManifestObjects.value(authority, "ca.crt"))
                        .toString()));
        return CommandResult.of(command);
    }

    static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the hub is ready. */
    InstalledHub awaitReady() {
        Await.until("the hub is ready", READY_LIMIT, () -> {
            if (!process.running()) {
                throw new AssertionError(process.tail());
            }
            return fetch(healthPort, "/readyz").isPresent();
        });
        return this;
    }

    /** Sum over all series of a metric; 0 when there is none. */
    double metric(String name) {
        return Pattern.compile("(?m)^" + Pattern.quote(name) + "(\\{[^}]*})? (\\S+)$")
                .matcher(fetch(metricsPort, "/metrics").orElseThrow())
                .results()
                .mapToDouble(line -> Double.parseDouble(line.group(2)))
                .sum();
    }

    private Optional<String> fetch(int port, String path) {
        try {
            var response = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(Duration.ofSeconds(5))
                            .build(),
                    BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** SIGKILL: the process has no chance to tidy up. */
    void kill() {
        process.kill();
    }

    /** SIGTERM; returns the exit code. */
    int terminate() {
        return process.stop(20);
    }

    /** SIGSTOP: the process executes nothing until {@link #resume}. */
    void suspend() {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        CommandResult.of(List.of("/bin/kill", "-" + name, Long.toString(process.pid())))
                .requireSuccess("kill");
    }

    ServerProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
