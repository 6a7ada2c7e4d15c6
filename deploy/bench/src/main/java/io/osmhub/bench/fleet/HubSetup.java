package io.osmhub.bench.fleet;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The configuration of a measured hub: for the simulated clusters, with health and metrics on free ports. */
record HubSetup(Path configuration, int healthPort, int metricsPort) {
    private static final int LOOPBACK_BACKLOG = 1;
    private static final int FIRST_PORT = 20_000;
    private static final int END_OF_PORTS = 30_000;
    private static final int PORT_ATTEMPTS = 100;

    /** Writes the hub's files into a folder. */
    static HubSetup of(BenchFleet fleet, Path folder) throws IOException {
        int healthPort = freePort();
        int metricsPort = freePort();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), fleet.managementKubeconfig());
        Path configuration =
                Files.writeString(folder.resolve("hub.yaml"), """
                apiVersion: config.osmhub.io/v1alpha1
                kind: HubConfiguration
                management: {kubeconfig: "%s"}
                kubeconfigPolicy: {allow: [Loopback]}
                replicas: {mode: Single}
                # The simulated clusters allow everything; a token for each MachineDeployment would be another load.
                defaults: {provisioning: {bootstrap: {nodeFetch: SharedToken}}}
                api: {address: ""}
                webhooks: {address: ""}
                health: {address: "127.0.0.1:%d"}
                metrics: {address: "127.0.0.1:%d"}
                """.formatted(kubeconfig, healthPort, metricsPort));
        return new HubSetup(configuration, healthPort, metricsPort);
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
