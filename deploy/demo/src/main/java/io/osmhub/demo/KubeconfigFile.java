package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A kubeconfig with a context per simulated cluster. */
final class KubeconfigFile {
    private KubeconfigFile() {}

    /** Writes a file readable only by its owner; the first cluster is the current context. */
    static void write(Path file, List<SimulatedCluster> clusters) throws IOException {
        ObjectNode all = JsonTrees.object().put("apiVersion", "v1").put("kind", "Config");
        all.put("current-context", clusters.getFirst().name());
        ArrayNode servers = all.putArray("clusters");
        ArrayNode users = all.putArray("users");
        ArrayNode contexts = all.putArray("contexts");
        for (SimulatedCluster cluster : clusters) {
            ObjectNode one = JsonTrees.read(cluster.kubeconfig());
            servers.addObject()
                    .put("name", cluster.name())
                    .set("cluster", first(one, "clusters").path("cluster"));
            users.addObject()
                    .put("name", cluster.name())
                    .set("user", first(one, "users").path("user"));
            contexts.addObject()
                    .put("name", cluster.name())
                    .putObject("context")
                    .put("cluster", cluster.name())
                    .put("user", cluster.name());
        }
        // Set the permissions at creation, not afterwards.
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, JsonTrees.bytes(all));
    }

    private static JsonNode first(ObjectNode config, String list) {
        return config.path(list).path(0);
    }
}
