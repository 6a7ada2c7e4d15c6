package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.EventConversion;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectPage;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The requested form of objects: complete, rows of a table, or only their metadata. */
final class ResponseEncoding {
    private enum ResponseForm {
        WHOLE,
        TABLE,
        METADATA
    }

    private final ResponseForm form;
    private final String include;
    private final ObjectTables tables;

    private ResponseEncoding(ResponseForm form, String include, ObjectTables tables) {
        this.form = form;
        this.include = include;
        this.tables = tables;
    }

    /** The first supported form of an Accept header. {@code include} is the query parameter {@code includeObject}. */
    static ResponseEncoding of(String accept, String include, ObjectTables tables) {
        if (accept.isBlank()) {
            return new ResponseEncoding(ResponseForm.WHOLE, include, tables);
        }
        for (String option : accept.toLowerCase(Locale.ROOT).split(",")) {
            List<String> parts = List.of(option.replace(" ", "").split(";"));
            boolean json = List.of("application/json", "*/*", "application/*").contains(parts.getFirst());
            boolean oldVersion = parts.contains("v=v1beta1");
            if (json && !oldVersion && parts.contains("as=table")) {
                return new ResponseEncoding(ResponseForm.TABLE, include, tables);
            }
            if (json
                    && !oldVersion
                    && (parts.contains("as=partialobjectmetadata") || parts.contains("as=partialobjectmetadatalist"))) {
                return new ResponseEncoding(ResponseForm.METADATA, include, tables);
            }
            if (json && parts.stream().noneMatch(part -> part.startsWith("as="))) {
                return new ResponseEncoding(ResponseForm.WHOLE, include, tables);
            }
        }
        throw ApiError.notAcceptable(List.of("application/json"));
    }

    byte[] encodeObject(ResourceType type, StoredObject object) {
        return encodeObject(type, object, true);
    }

    private byte[] encodeObject(ResourceType type, StoredObject object, boolean headers) {
        return switch (form) {
            case WHOLE -> whole(type, object);
            case TABLE -> {
                ObjectNode metadata = JsonTrees.object().put("resourceVersion", Long.toString(object.revision()));
                yield JsonTrees.bytes(tables.table(type, List.of(object), metadata, include, headers));
            }
            case METADATA -> JsonTrees.bytes(partial(object));
        };
    }

    byte[] encodeList(ResourceType type, ObjectPage listing) {
        ObjectNode metadata = JsonTrees.object().put("resourceVersion", Long.toString(listing.revision()));
        if (!listing.next().isEmpty()) {
            metadata.put("continue", listing.next());
        }
        if (listing.remaining() >= 0) {
            metadata.put("remainingItemCount", listing.remaining());
        }
        if (form == ResponseForm.TABLE) {
            return JsonTrees.bytes(tables.table(type, listing.items(), metadata, include, true));
        }
        boolean whole = form == ResponseForm.WHOLE;
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        String head = "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":"
                .formatted(
                        whole ? type.kind() + "List" : "PartialObjectMetadataList",
                        whole ? type.apiVersion() : "meta.k8s.io/v1");
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        out.writeBytes(JsonTrees.bytes(metadata));
        out.writeBytes(",\"items\":[".getBytes(StandardCharsets.UTF_8));
        boolean first = true;
        for (StoredObject item : listing.items()) {
            if (!first) {
                out.write(',');
            }
            first = false;
            out.writeBytes(whole ? listed(type, item) : JsonTrees.bytes(partial(item)));
        }
        out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    /** One event of a watch with its line feed; only the first table has headers. */
    byte[] encodeEvent(String kind, ResourceType type, StoredObject object, boolean first) {
        return line(kind, encodeObject(type, object, first));
    }

    static byte[] line(String kind, byte[] object) {
        byte[] head = "{\"type\":\"%s\",\"object\":".formatted(kind).getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[head.length + object.length + 2];
        System.arraycopy(head, 0, line, 0, head.length);
        System.arraycopy(object, 0, line, head.length, object.length);
        line[line.length - 2] = '}';
        line[line.length - 1] = '\n';
        return line;
    }

    // As in the real server, items of built-in kinds have no kind and apiVersion, custom ones do.
    private static byte[] listed(ResourceType type, StoredObject item) {
        if (EventConversion.differs(type)) {
            ObjectNode tree = item.tree();
            EventConversion.toServed(type, tree);
            return JsonTrees.bytes(tree);
        }
        return type.builtIn() ? item.body() : type.whole(item.body());
    }

    private static byte[] whole(ResourceType type, StoredObject object) {
        if (EventConversion.differs(type)) {
            ObjectNode tree = object.tree();
            EventConversion.toServed(type, tree);
            return type.whole(JsonTrees.bytes(tree));
        }
        return type.whole(object.body());
    }

    static ObjectNode partial(StoredObject object) {
        ObjectNode partial = JsonTrees.object();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.tree().get("metadata"));
        return partial;
    }
}
