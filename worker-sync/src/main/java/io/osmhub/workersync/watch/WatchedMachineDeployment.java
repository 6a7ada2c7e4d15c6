package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An observed MachineDeployment. Its CRD validates little, so one whose spec cannot be read is kept with its metadata, to be
 * reported and cleaned up.
 *
 * @param mistakes why the spec cannot be read; empty if it can
 * @param replicas null if the object has none
 */
public record WatchedMachineDeployment(
        MachineDeployment machineDeployment,
        List<Problem> mistakes,
        @Nullable Replicas replicas) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** Memory of a text and its half of a map entry, without its characters. */
    private static final int EACH_TEXT = 72;

    private static final int LAST_OF_LATIN_1 = 0xFF;

    public WatchedMachineDeployment {
        mistakes = List.copyOf(mistakes);
    }

    /** Without replicas. */
    public WatchedMachineDeployment(MachineDeployment machineDeployment, List<Problem> mistakes) {
        this(machineDeployment, mistakes, null);
    }

    /**
     * Desired machines, and those that are ready nodes.
     *
     * @param observed whether machine-controller has observed the current generation
     */
    public record Replicas(int desired, int ready, boolean observed) {}

    /** For a {@link ListWatch}. */
    static final ObjectDecoder<WatchedMachineDeployment> DECODER = new ObjectDecoder<>() {
        @Override
        public ObservedObject<WatchedMachineDeployment> decode(JsonParser parser) throws IOException {
            return WatchedMachineDeployment.decode(parser);
        }

        @Override
        public WatchedMachineDeployment unreadable(
                JsonNode metadata, Problem why, @Nullable WatchedMachineDeployment earlier) {
            return new WatchedMachineDeployment(
                    MachineDeployment.read(SourceDocument.of(why.object(), metadata)),
                    List.of(why),
                    earlier == null ? null : earlier.replicas());
        }
    };

    public static ObservedObject<WatchedMachineDeployment> decode(JsonParser parser) throws IOException {
        ObjectNode object = JSON.readTree(parser);
        JsonNode metadata = object.path("metadata");
        ObjectKey key = new ObjectKey(
                metadata.path("namespace").asText(""), metadata.path("name").asText(""));
        WatchedMachineDeployment read = read(object, ProblemObject.of("MachineDeployment", key.toString()));
        return new ObservedObject<>(
                key,
                metadata.path("uid").asText(""),
                metadata.path("resourceVersion").asText(""),
                read,
                read.bytes());
    }

    /** Approximate memory; little of the JSON is kept. */
    private long bytes() {
        MachineDeployment it = machineDeployment;
        long bytes = bytes(it.namespace()) + bytes(it.name()) + bytes(it.uid()) + bytes(it.resourceVersion());
        bytes += bytes(it.kubeletVersion()) + bytes(Objects.requireNonNullElse(it.providerSpec(), ""));
        for (String finalizer : it.finalizers()) {
            bytes += bytes(finalizer);
        }
        for (Map<String, String> annotations : List.of(it.annotations(), it.templateAnnotations())) {
            for (Map.Entry<String, String> annotation : annotations.entrySet()) {
                bytes += bytes(annotation.getKey()) + bytes(annotation.getValue());
            }
        }
        for (Problem mistake : mistakes) {
            bytes += bytes(mistake.toString());
        }
        return bytes;
    }

    /** Two bytes for each character if one of them is not Latin-1. */
    private static long bytes(String text) {
        boolean narrow = text.chars().allMatch(character -> character <= LAST_OF_LATIN_1);
        return EACH_TEXT + (narrow ? 1L : 2L) * text.length();
    }

    private static WatchedMachineDeployment read(ObjectNode object, ProblemObject source) {
        Replicas replicas = replicas(object);
        try {
            return new WatchedMachineDeployment(
                    MachineDeployment.read(SourceDocument.of(source, slim(object))), List.of(), replicas);
        } catch (TenantMistake e) {
            ObjectNode metadataOnly = JsonNodeFactory.instance.objectNode();
            metadataOnly.set("metadata", object.path("metadata"));
            return new WatchedMachineDeployment(
                    MachineDeployment.read(SourceDocument.of(source, metadataOnly)), e.findings(), replicas);
        }
    }

    /** {@code spec.replicas} defaults to one. */
    private static @Nullable Replicas replicas(ObjectNode object) {
        JsonNode status = object.path("status");
        JsonNode wanted = object.path("spec").path("replicas");
        boolean unusable = !wanted.isMissingNode() && !wanted.canConvertToInt() || wanted.asInt(1) < 0;
        return unusable
                ? null
                : new Replicas(
                        wanted.asInt(1),
                        Math.max(0, status.path("readyReplicas").asInt(0)),
                        status.path("observedGeneration").asLong(0)
                                >= object.path("metadata").path("generation").asLong(0));
    }

    /** Drops the largest unused parts. */
    private static ObjectNode slim(ObjectNode object) {
        object.remove("status");
        if (object.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return object;
    }

    /** Whether only fields that the hub does not read differ, such as the rest of the status. */
    public boolean hasSameContentAs(WatchedMachineDeployment other) {
        return mistakes.equals(other.mistakes)
                && machineDeployment.finalizers().equals(other.machineDeployment.finalizers())
                && differsInFinalizersOnly(other.machineDeployment);
    }

    /** Whether the published content is the same. */
    public boolean differsInFinalizersOnly(MachineDeployment other) {
        return machineDeployment.uid().equals(other.uid())
                && Objects.equals(machineDeployment.deletionTimestamp(), other.deletionTimestamp())
                && machineDeployment.annotations().equals(other.annotations())
                && hasTemplateOf(other);
    }

    /** Whether the fields read from the machine template are equal. */
    public boolean hasTemplateOf(MachineDeployment other) {
        return machineDeployment.kubeletVersion().equals(other.kubeletVersion())
                && Objects.equals(machineDeployment.providerSpec(), other.providerSpec())
                && machineDeployment.templateAnnotations().equals(other.templateAnnotations());
    }
}
