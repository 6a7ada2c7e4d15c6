package io.osmhub.sim.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.sim.json.JsonTrees;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Turns {@code application/vnd.kubernetes.protobuf} into the JSON tree of the same object. */
public final class ProtobufReader {
    private static final int MAGIC = 0x6b387300;
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private ProtobufReader() {}

    /**
     * Reads an object with its envelope.
     *
     * @throws IllegalArgumentException when it is malformed or of a kind that kubectl is not known to send
     */
    public static ObjectNode read(byte[] bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            if (buffer.remaining() < 4 || buffer.getInt() != MAGIC) {
                throw new IllegalArgumentException("the body does not begin like protobuf of Kubernetes");
            }
            ObjectNode envelope = message(buffer, message("Unknown"));
            String kind = JsonTrees.text(envelope, "typeMeta", "kind");
            byte[] raw = Base64.getDecoder().decode(JsonTrees.text(envelope, "raw"));
            ObjectNode object = message(ByteBuffer.wrap(raw), message(kind));
            return object.put("kind", kind).put("apiVersion", JsonTrees.text(envelope, "typeMeta", "apiVersion"));
        } catch (BufferUnderflowException cutOff) {
            throw new IllegalArgumentException("the protobuf ends too early", cutOff);
        }
    }

    private static ProtobufMessage message(String name) {
        return ProtobufMessage.named(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the simulator cannot read %s as protobuf; send JSON".formatted(name)));
    }

    private static ObjectNode message(ByteBuffer buffer, ProtobufMessage message) {
        ObjectNode object = JsonTrees.object();
        while (buffer.hasRemaining()) {
            long tag = varint(buffer);
            ProtobufMessage.ProtobufField field = message.fields().get((int) (tag >>> 3));
            int wire = (int) (tag & 7);
            if (wire == VARINT) {
                number(object, field, varint(buffer));
            } else if (wire == BYTES) {
                bytes(object, field, slice(buffer));
            } else if (wire == FIXED64 || wire == FIXED32) {
                buffer.position(buffer.position() + (wire == FIXED64 ? Long.BYTES : Integer.BYTES));
            } else {
                throw new IllegalArgumentException("the protobuf has an unknown wire type " + wire);
            }
        }
        return object;
    }

    private static void number(ObjectNode object, ProtobufMessage.@Nullable ProtobufField field, long value) {
        if (field != null && field.type().equals("b")) {
            object.put(field.name(), value != 0);
        } else if (field != null) {
            object.put(field.name(), value);
        }
    }

    private static void bytes(ObjectNode object, ProtobufMessage.@Nullable ProtobufField field, ByteBuffer value) {
        if (field == null) {
            return;
        }
        switch (field.type()) {
            case "M", "Y" -> {
                ObjectNode map = JsonTrees.child(object, field.name());
                entry(map, value, field.type().equals("Y"));
            }
            case "t" -> {
                // An absent time is sent as an empty message.
                String time = time(value);
                if (!time.isEmpty()) {
                    object.put(field.name(), time);
                }
            }
            default -> {
                JsonNode node = single(field.type(), value);
                if (field.repeated()) {
                    object.withArray(field.name()).add(node);
                } else if (!JsonTrees.isEmpty(node)) {
                    object.set(field.name(), node);
                }
            }
        }
    }

    private static JsonNode single(String type, ByteBuffer value) {
        return switch (type) {
            case "s" -> TextNode.valueOf(text(value));
            case "y" -> TextNode.valueOf(base64(value));
            default -> message(value, message(type));
        };
    }

    private static void entry(ObjectNode map, ByteBuffer entry, boolean ofBytes) {
        String key = "";
        String value = "";
        while (entry.hasRemaining()) {
            long tag = varint(entry);
            ByteBuffer part = slice(entry);
            if (tag >>> 3 == 1) {
                key = text(part);
            } else {
                value = ofBytes ? base64(part) : text(part);
            }
        }
        map.put(key, value);
    }

    private static String time(ByteBuffer value) {
        long seconds = 0;
        long nanos = 0;
        while (value.hasRemaining()) {
            long tag = varint(value);
            if (tag >>> 3 == 1) {
                seconds = varint(value);
            } else {
                nanos = varint(value);
            }
        }
        // Go's zero time lies in the year 1.
        return seconds <= 0 ? "" : Instant.ofEpochSecond(seconds, nanos).toString();
    }

    private static long varint(ByteBuffer buffer) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = buffer.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("the protobuf has a number that is too long");
    }

    private static ByteBuffer slice(ByteBuffer buffer) {
        long length = varint(buffer);
        if (length < 0 || length > buffer.remaining()) {
            throw new IllegalArgumentException("the protobuf ends too early");
        }
        ByteBuffer slice = buffer.slice(buffer.position(), (int) length).order(ByteOrder.BIG_ENDIAN);
        buffer.position(buffer.position() + (int) length);
        return slice;
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.UTF_8.decode(buffer).toString();
    }

    private static String base64(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
