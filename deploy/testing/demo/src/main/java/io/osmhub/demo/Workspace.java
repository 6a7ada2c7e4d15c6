package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The files of one demo, deleted at its end: in the checkout's target folder if there is one, otherwise a temporary directory. */
final class Workspace implements AutoCloseable {
    private final Path folder;

    private Workspace(Path folder) {
        this.folder = folder;
    }

    /** Creates a folder readable only by its owner. {@code root} is the checkout; empty if none. */
    static Workspace create(String root) throws IOException {
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path target = Path.of(root).resolve("target");
        if (!root.isEmpty() && Files.isDirectory(target) && Files.isWritable(target)) {
            return new Workspace(Files.createTempDirectory(target, "demo-", ownerOnly));
        }
        return new Workspace(Files.createTempDirectory("osm-hub-demo-", ownerOnly));
    }

    /** Has a context per cluster. */
    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** The hub's configuration. */
    Path configuration() {
        return folder.resolve("hub.yaml");
    }

    /** A token for the hub's API. */
    Path token() {
        return folder.resolve("api-token");
    }

    /** The certificate of the API's authority. */
    Path authority() {
        return folder.resolve("ca.crt");
    }

    /** A shell script that sets the variables of kubectl and of the CLI. */
    Path environment() {
        return folder.resolve("env");
    }

    /** Content of {@link #environment}: one command a line. */
    List<String> exports(String server) {
        return List.of(
                "export KUBECONFIG='" + kubeconfig() + "'",
                "export OSM_HUB_SERVER='" + server + "'",
                "export OSM_HUB_TOKEN_FILE='" + token() + "'",
                "export OSM_HUB_CA_FILE='" + authority() + "'");
    }

    /** The hub's log. */
    Path log() {
        return folder.resolve("hub.log");
    }

    @Override
    public void close() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Writes a kubeconfig with a context per cluster, readable only by its owner; the first cluster is the current context. */
    static void writeKubeconfig(Path file, List<SimulatedCluster> clusters) throws IOException {
        ObjectNode all = JsonTrees.object().put("apiVersion", "v1").put("kind", "Config");
        all.put("current-context", clusters.getFirst().name());
        for (SimulatedCluster cluster : clusters) {
            JsonNode one = JsonTrees.read(cluster.kubeconfig());
            String name = cluster.name();
            all.withArray("clusters").addObject().put("name", name).set("cluster", one.at("/clusters/0/cluster"));
            all.withArray("users").addObject().put("name", name).set("user", one.at("/users/0/user"));
            ObjectNode context = all.withArray("contexts").addObject().put("name", name);
            context.putObject("context").put("cluster", name).put("user", name);
        }
        // Set the permissions at creation, not afterwards.
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, JsonTrees.bytes(all));
    }

    /** The configuration of a hub that serves simulated clusters: defaults except for local addresses on free ports. */
    static String hubConfiguration(Path kubeconfig) {
        return """
                apiVersion: config.osmhub.io/v1alpha1
                kind: HubConfiguration
                management:
                  kubeconfig: "%s"
                  context: management
                kubeconfigPolicy:
                  allow: [Loopback]
                replicas: {mode: Single}
                api: {address: "127.0.0.1:0"}
                webhooks: {address: ""}
                health: {address: "127.0.0.1:0"}
                metrics: {address: "127.0.0.1:0"}
                log: {format: console}
                """.formatted(kubeconfig.toString().replace("\\", "\\\\").replace("\"", "\\\""));
    }
}
