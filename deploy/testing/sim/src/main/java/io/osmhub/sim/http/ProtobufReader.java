package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.sim.objects.JsonTrees;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Converts {@code application/vnd.kubernetes.protobuf}, in which kubectl's generators send objects, to JSON. Responses never use it. */
final class ProtobufReader {
    private static final int MAGIC = 0x6b387300;
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    /**
     * The messages that kubectl sends, as in the generated.proto files of Kubernetes 1.34: name, then fields as {@code number:name:type}.
     * Types: {@code s} string, {@code b} bool, {@code i} integer, {@code y} bytes, {@code t} time, {@code M} map of strings, {@code Y}
     * map of bytes, otherwise a message; {@code *} means repeated.
     */
    private static final String MESSAGES = """
            ObjectMeta 1:name:s 2:generateName:s 3:namespace:s 5:uid:s 6:resourceVersion:s 7:generation:i 8:creationTimestamp:t \
            11:labels:M 12:annotations:M 13:ownerReferences:OwnerReference* 14:finalizers:s*
            OwnerReference 1:kind:s 3:name:s 4:uid:s 5:apiVersion:s 6:controller:b 7:blockOwnerDeletion:b
            Namespace 1:metadata:ObjectMeta 2:spec:NamespaceSpec
            NamespaceSpec 1:finalizers:s*
            Secret 1:metadata:ObjectMeta 2:data:Y 3:type:s 4:stringData:M 5:immutable:b
            ConfigMap 1:metadata:ObjectMeta 2:data:M 3:binaryData:Y 4:immutable:b
            ServiceAccount 1:metadata:ObjectMeta 3:imagePullSecrets:LocalObjectReference* 4:automountServiceAccountToken:b
            LocalObjectReference 1:name:s
            Role 1:metadata:ObjectMeta 2:rules:PolicyRule*
            ClusterRole 1:metadata:ObjectMeta 2:rules:PolicyRule*
            PolicyRule 1:verbs:s* 2:apiGroups:s* 3:resources:s* 4:resourceNames:s* 5:nonResourceURLs:s*
            RoleBinding 1:metadata:ObjectMeta 2:subjects:Subject* 3:roleRef:RoleRef
            ClusterRoleBinding 1:metadata:ObjectMeta 2:subjects:Subject* 3:roleRef:RoleRef
            Subject 1:kind:s 2:apiGroup:s 3:name:s 4:namespace:s
            RoleRef 1:apiGroup:s 2:kind:s 3:name:s
            Lease 1:metadata:ObjectMeta 2:spec:LeaseSpec
            LeaseSpec 1:holderIdentity:s 2:leaseDurationSeconds:i 3:acquireTime:t 4:renewTime:t 5:leaseTransitions:i
            TokenRequest 1:metadata:ObjectMeta 2:spec:TokenRequestSpec
            TokenRequestSpec 1:audiences:s* 4:expirationSeconds:i
            TokenReview 1:metadata:ObjectMeta 2:spec:TokenReviewSpec
            TokenReviewSpec 1:token:s 2:audiences:s*
            SelfSubjectReview 1:metadata:ObjectMeta
            SelfSubjectAccessReview 1:metadata:ObjectMeta 2:spec:AccessReviewSpec
            SubjectAccessReview 1:metadata:ObjectMeta 2:spec:AccessReviewSpec
            LocalSubjectAccessReview 1:metadata:ObjectMeta 2:spec:AccessReviewSpec
            AccessReviewSpec 1:resourceAttributes:ResourceAttributes 2:nonResourceAttributes:NonResourceAttributes 3:user:s 4:groups:s* 6:uid:s
            ResourceAttributes 1:namespace:s 2:verb:s 3:group:s 4:version:s 5:resource:s 6:subresource:s 7:name:s
            NonResourceAttributes 1:path:s 2:verb:s
            SelfSubjectRulesReview 1:metadata:ObjectMeta 2:spec:RulesReviewSpec
            RulesReviewSpec 1:namespace:s
            DeleteOptions 1:gracePeriodSeconds:i 2:preconditions:Preconditions 4:propagationPolicy:s 5:dryRun:s*
            Preconditions 1:uid:s 2:resourceVersion:s
            Unknown 1:typeMeta:TypeMeta 2:raw:y
            TypeMeta 1:apiVersion:s 2:kind:s
            """;

    private record Field(String name, String type, boolean repeated) {
        static final Field UNKNOWN = new Field("", "", false);
    }

    private static final Map<String, Map<Integer, Field>> FIELDS_BY_MESSAGE = new HashMap<>();

    static {
        for (String line : MESSAGES.lines().toList()) {
            String[] words = line.split(" ");
            Map<Integer, Field> fields = new TreeMap<>();
            for (int i = 1; i < words.length; i++) {
                String[] parts = words[i].split(":");
                String type = parts[2].replace("*", "");
                fields.put(Integer.parseInt(parts[0]), new Field(parts[1], type, parts[2].endsWith("*")));
            }
            FIELDS_BY_MESSAGE.put(words[0], fields);
        }
    }

    private ProtobufReader() {}

    /**
     * Reads an object with its envelope.
     *
     * @throws IllegalArgumentException if it is malformed or of another kind than those that kubectl sends
     */
    static ObjectNode read(byte[] bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            if (buffer.remaining() < 4 || buffer.getInt() != MAGIC) {
                throw new IllegalArgumentException("the body is not Kubernetes protobuf");
            }
            ObjectNode envelope = message(buffer, "Unknown");
            String kind = JsonTrees.text(envelope, "typeMeta", "kind");
            byte[] raw = Base64.getDecoder().decode(JsonTrees.text(envelope, "raw"));
            ObjectNode object = message(ByteBuffer.wrap(raw), kind);
            return object.put("kind", kind).put("apiVersion", JsonTrees.text(envelope, "typeMeta", "apiVersion"));
        } catch (BufferUnderflowException truncated) {
            throw new IllegalArgumentException("the protobuf is truncated", truncated);
        }
    }

    private static ObjectNode message(ByteBuffer buffer, String type) {
        Map<Integer, Field> fields = FIELDS_BY_MESSAGE.get(type);
        if (fields == null) {
            throw new IllegalArgumentException("the simulator cannot read %s as protobuf; send JSON".formatted(type));
        }
        ObjectNode object = JsonTrees.object();
        while (buffer.hasRemaining()) {
            long tag = varint(buffer);
            Field field = fields.getOrDefault((int) (tag >>> 3), Field.UNKNOWN);
            switch ((int) (tag & 7)) {
                case VARINT -> putNumber(object, field, varint(buffer));
                case BYTES -> putBytes(object, field, slice(buffer));
                case FIXED64 -> buffer.position(buffer.position() + Long.BYTES);
                case FIXED32 -> buffer.position(buffer.position() + Integer.BYTES);
                default -> throw new IllegalArgumentException("the protobuf has an unknown wire type " + (tag & 7));
            }
        }
        return object;
    }

    private static void putNumber(ObjectNode object, Field field, long value) {
        if (field.type().equals("b")) {
            object.put(field.name(), value != 0);
        } else if (!field.name().isEmpty()) {
            object.put(field.name(), value);
        }
    }

    private static void putBytes(ObjectNode object, Field field, ByteBuffer value) {
        switch (field.type()) {
            case "" -> {}
            case "M" -> putEntry(JsonTrees.child(object, field.name()), value, ProtobufReader::text);
            case "Y" -> putEntry(JsonTrees.child(object, field.name()), value, ProtobufReader::base64);
            default -> {
                JsonNode node =
                        switch (field.type()) {
                            case "s" -> TextNode.valueOf(text(value));
                            case "y" -> TextNode.valueOf(base64(value));
                            case "t" -> TextNode.valueOf(time(value));
                            default -> message(value, field.type());
                        };
                if (field.repeated()) {
                    object.withArray(field.name()).add(node);
                } else if (!JsonTrees.isEmpty(node)) {
                    object.set(field.name(), node);
                }
            }
        }
    }

    private static void putEntry(ObjectNode map, ByteBuffer entry, Function<ByteBuffer, String> decoder) {
        String key = "";
        String value = "";
        while (entry.hasRemaining()) {
            boolean isKey = varint(entry) >>> 3 == 1;
            ByteBuffer part = slice(entry);
            if (isKey) {
                key = text(part);
            } else {
                value = decoder.apply(part);
            }
        }
        map.put(key, value);
    }

    /** Empty for Go's zero time, which is in the year 1, and for an empty message, which means an absent time. */
    private static String time(ByteBuffer value) {
        long seconds = 0;
        long nanos = 0;
        while (value.hasRemaining()) {
            if (varint(value) >>> 3 == 1) {
                seconds = varint(value);
            } else {
                nanos = varint(value);
            }
        }
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
            throw new BufferUnderflowException();
        }
        ByteBuffer slice = buffer.slice(buffer.position(), (int) length);
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
