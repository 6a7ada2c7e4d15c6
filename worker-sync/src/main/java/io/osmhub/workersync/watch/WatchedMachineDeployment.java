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
import java.util.Map;
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

    /** Memory of a text beside its characters, and of its half of an entry of a map. */
    private static final int EACH_TEXT = 72;

    private static final int LAST_OF_LATIN_1 = 0xFF;

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
        WatchedMachineDeployment read = read(object, "MachineDeployment " + key);
        return new Seen<>(
                key,
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""),
                read,
                read.bytes());
    }

    /** Memory that it takes, about: little of the JSON is kept. */
    private long bytes() {
        MachineDeployment it = machineDeployment;
        long bytes = bytes(it.namespace()) + bytes(it.name()) + bytes(it.uid()) + bytes(it.resourceVersion());
        bytes += bytes(it.kubeletVersion()) + bytes(Objects.requireNonNullElse(it.providerSpec(), ""));
        for (String finalizer : it.finalizers()) {
            bytes += bytes(finalizer);
        }
        for (Map.Entry<String, String> annotation : it.annotations().entrySet()) {
            bytes += bytes(annotation.getKey()) + bytes(annotation.getValue());
        }
        for (Finding mistake : mistakes) {
            bytes += bytes(mistake.toString());
        }
        return bytes;
    }

    /** Two for each character as soon as one of them is not of Latin-1. */
    private static long bytes(String text) {
        boolean narrow = text.chars().allMatch(character -> character <= LAST_OF_LATIN_1);
        return EACH_TEXT + (narrow ? 1L : 2L) * text.length();
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
        return mistakes.equals(other.mistakes)
                && machineDeployment.finalizers().equals(other.machineDeployment.finalizers())
                && differsInFinalizersOnly(other.machineDeployment);
    }

    /** Whether the same is published for it as for the other. */
    public boolean differsInFinalizersOnly(MachineDeployment other) {
        return machineDeployment.uid().equals(other.uid())
                && Objects.equals(machineDeployment.deletionTimestamp(), other.deletionTimestamp())
                && machineDeployment.annotations().equals(other.annotations())
                && hasTemplateOf(other);
    }

    /** Whether what is read of the template of its machines is the same. */
    public boolean hasTemplateOf(MachineDeployment other) {
        return machineDeployment.kubeletVersion().equals(other.kubeletVersion())
                && Objects.equals(machineDeployment.providerSpec(), other.providerSpec());
    }
}
