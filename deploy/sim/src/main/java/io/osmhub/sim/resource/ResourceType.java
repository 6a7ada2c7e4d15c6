package io.osmhub.sim.resource;

import io.osmhub.sim.schema.CustomResourceSchema;
import io.osmhub.sim.schema.ListMergeKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One kind in one version, as discovery shows it and as its objects are written. */
public final class ResourceType {
    /** Where the scale subresource finds its numbers: paths such as {@code .spec.replicas}. */
    public record ScalePaths(String specReplicasPath, String statusReplicasPath) {}

    /** What tells one kind from another; the rest follows from it. Built-in kinds have no schema: their rules are code. */
    public record Traits(
            boolean namespaced,
            boolean status,
            @Nullable ScalePaths scale,
            boolean builtIn,
            boolean hasGeneration,
            boolean unconditionalUpdate,
            List<String> shortNames,
            List<TableColumn> columns,
            @Nullable CustomResourceSchema schema) {
        /** Copies the lists. */
        public Traits {
            shortNames = List.copyOf(shortNames);
            columns = List.copyOf(columns);
        }
    }

    private final ResourceKey key;
    private final String version;
    private final String kind;
    private final String singular;
    private final Traits traits;
    private final byte[] head;

    /** {@code group} is empty for the core group. */
    public ResourceType(String group, String version, String plural, String singular, String kind, Traits traits) {
        this.key = new ResourceKey(group, plural);
        this.version = version;
        this.kind = kind;
        this.singular = singular;
        this.traits = traits;
        this.head = "{\"kind\":\"%s\",\"apiVersion\":\"%s\""
                .formatted(kind, apiVersion())
                .getBytes(StandardCharsets.UTF_8);
    }

    public ResourceKey key() {
        return key;
    }

    public String group() {
        return key.group();
    }

    public String version() {
        return version;
    }

    public String plural() {
        return key.plural();
    }

    public String singular() {
        return singular;
    }

    public String kind() {
        return kind;
    }

    public Traits traits() {
        return traits;
    }

    public boolean namespaced() {
        return traits.namespaced();
    }

    /** How lists of its objects are merged. */
    public ListMergeKeys lists() {
        CustomResourceSchema schema = traits.schema();
        return schema == null ? ListMergeKeys.BUILT_IN : schema.lists();
    }

    /** {@code v1}, {@code apps/v1}. */
    public String apiVersion() {
        return group().isEmpty() ? version : group() + "/" + version;
    }

    /** A whole object from its stored body, which lacks {@code kind} and {@code apiVersion}: one body serves all versions. */
    public byte[] whole(byte[] body) {
        boolean more = body.length > 2;
        byte[] whole = new byte[head.length + body.length - (more ? 0 : 1)];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 1, whole, head.length + (more ? 1 : 0), body.length - 1);
        if (more) {
            whole[head.length] = ',';
        }
        return whole;
    }

    /** Whether an object with these two fields is of this type. */
    public boolean is(String otherApiVersion, String otherKind) {
        return kind.equals(otherKind) && apiVersion().equals(otherApiVersion);
    }

    @Override
    public String toString() {
        return key + " " + version;
    }
}
