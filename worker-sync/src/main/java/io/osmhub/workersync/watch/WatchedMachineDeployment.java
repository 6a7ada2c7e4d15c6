package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeploymentReader;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A MachineDeployment as it was seen. Its CRD checks little, so its spec may hold anything: one that cannot be read is kept
 * with its metadata, so that it can still be told about and cleaned up.
 *
 * @param mistakes why its spec was not read; empty when it was
 * @param replicas null when the object says nothing of them
 */
public record WatchedMachineDeployment(
        MachineDeployment machineDeployment,
        List<Finding> mistakes,
        @Nullable Replicas replicas) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    public WatchedMachineDeployment {
        mistakes = List.copyOf(mistakes);
    }

    /** Without its machines. */
    public WatchedMachineDeployment(MachineDeployment machineDeployment, List<Finding> mistakes) {
        this(machineDeployment, mistakes, null);
    }

    /** How many machines are wanted, and how many of them are ready as nodes. */
    public record Replicas(int wanted, int ready) {}

    /** For a {@link ListWatch}. */
    public static Seen<WatchedMachineDeployment> decode(JsonParser parser) throws IOException {
        ObjectNode object = JSON.readTree(parser);
        JsonNode metadata = object.path("metadata");
        ObjectKey key = new ObjectKey(
                metadata.path("namespace").asText(""), metadata.path("name").asText(""));
        return new Seen<>(
                key,
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""),
                read(object, "MachineDeployment " + key));
    }

    private static WatchedMachineDeployment read(ObjectNode object, String source) {
        Replicas replicas = replicas(object);
        try {
            return new WatchedMachineDeployment(
                    MachineDeploymentReader.read(Document.of(source, slim(object))), List.of(), replicas);
        } catch (TenantMistake e) {
            ObjectNode metadataOnly = JsonNodeFactory.instance.objectNode();
            metadataOnly.set("metadata", object.path("metadata"));
            return new WatchedMachineDeployment(
                    MachineDeploymentReader.read(Document.of(source, metadataOnly)), e.findings(), replicas);
        }
    }

    /** Left out, {@code spec.replicas} means one. */
    private static @Nullable Replicas replicas(ObjectNode object) {
        JsonNode status = object.path("status");
        JsonNode wanted = object.path("spec").path("replicas");
        boolean unusable = !wanted.isMissingNode() && !wanted.canConvertToInt() || wanted.asInt(1) < 0;
        return unusable
                ? null
                : new Replicas(
                        wanted.asInt(1),
                        Math.max(0, status.path("readyReplicas").asInt(0)));
    }

    /** Without the largest parts that nobody reads. */
    private static ObjectNode slim(ObjectNode object) {
        object.remove("status");
        if (object.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return object;
    }

    /** Whether only what the hub does not read has changed, such as replicas or status. */
    public boolean saysTheSameAs(WatchedMachineDeployment other) {
        MachineDeployment one = machineDeployment;
        MachineDeployment two = other.machineDeployment;
        return mistakes.equals(other.mistakes)
                && one.uid().equals(two.uid())
                && Objects.equals(one.deletionTimestamp(), two.deletionTimestamp())
                && one.finalizers().equals(two.finalizers())
                && one.annotations().equals(two.annotations())
                && one.kubeletVersion().equals(two.kubeletVersion())
                && Objects.equals(one.providerSpec(), two.providerSpec());
    }
}
