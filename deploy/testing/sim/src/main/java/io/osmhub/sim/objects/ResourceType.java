package io.osmhub.sim.objects;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One kind in one version, as discovery shows it and as its objects are written.
 *
 * @param scale null for kinds without the scale subresource
 * @param unconditionalUpdate whether an update may omit the resourceVersion
 * @param schema null for built-in kinds, whose rules are code
 */
public record ResourceType(
        ResourceKey key,
        String version,
        String singular,
        String kind,
        boolean namespaced,
        boolean status,
        @Nullable ScalePaths scale,
        boolean hasGeneration,
        boolean unconditionalUpdate,
        List<String> shortNames,
        List<TableColumn> columns,
        @Nullable CustomResourceSchema schema) {
    /** Where the scale subresource finds its numbers: paths such as {@code .spec.replicas}. */
    public record ScalePaths(String specReplicasPath, String statusReplicasPath) {}

    /**
     * A column of {@code kubectl get}. {@code path} is a simple JSONPath such as {@code .spec.replicas}; the format {@code count} shows the
     * number of elements; a priority above 0 shows only with {@code -o wide}.
     */
    public record TableColumn(String name, String type, String format, String description, int priority, String path) {
        static final TableColumn AGE =
                new TableColumn("Age", "date", "", "Time since creation", 0, ".metadata.creationTimestamp");
    }

    public String group() {
        return key.group();
    }

    public String plural() {
        return key.plural();
    }

    public boolean builtIn() {
        return schema == null;
    }

    /** How lists of its objects are merged. */
    public ListMergeKeys lists() {
        return schema == null ? ListMergeKeys.BUILT_IN : schema.lists();
    }

    /** {@code v1}, {@code apps/v1}. */
    public String apiVersion() {
        return group().isEmpty() ? version : group() + "/" + version;
    }

    /** A whole object from its stored body, which lacks {@code kind} and {@code apiVersion}: one body serves all versions. */
    public byte[] whole(byte[] body) {
        boolean more = body.length > 2;
        String start = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion() + (more ? "\"," : "\"");
        byte[] head = start.getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[head.length + body.length - 1];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 1, whole, head.length, body.length - 1);
        return whole;
    }
}
