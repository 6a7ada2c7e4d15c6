package io.osmhub.core.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * HMAC-SHA-256 of a value, credentials included: without the key, it can neither be computed nor used to test a guess. Records are
 * read component by component, so a new component counts without further code. Different values have different texts: each part has
 * its type and size.
 */
public final class KeyedHash {
    private static final ClassValue<Method[]> ACCESSORS = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            Method[] accessors = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getAccessor)
                    .toArray(Method[]::new);
            for (Method accessor : accessors) {
                accessor.setAccessible(true);
            }
            return accessors;
        }
    };

    private KeyedHash() {}

    /**
     * Lower-case hex of the hash.
     *
     * @param key must not be guessable
     * @param value records, lists, sorted maps and sets, texts, numbers and the like
     * @throws IllegalArgumentException if the value contains another type
     */
    public static String hex(Sensitive key, Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8 << 10);
        try {
            write(value, new DataOutputStream(bytes));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.reveal().getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    private static void write(@Nullable Object value, DataOutputStream out) throws IOException {
        switch (value) {
            case null -> out.writeByte('0');
            case String text -> writeText('s', text, out);
            case Boolean truth -> writeText('b', truth.toString(), out);
            case Integer number -> writeText('i', number.toString(), out);
            case Long number -> writeText('l', number.toString(), out);
            case Duration duration -> writeText('d', duration.toString(), out);
            case Enum<?> constant -> writeText('e', constant.name(), out);
            case SortedMap<?, ?> map -> writeMap(map, out);
            case Collection<?> items
            when !(items instanceof Set) || items instanceof SortedSet -> {
                writeSize('c', items.size(), out);
                for (Object item : items) {
                    write(item, out);
                }
            }
            case Record part -> {
                Method[] accessors = ACCESSORS.get(part.getClass());
                writeSize('r', accessors.length, out);
                for (Method accessor : accessors) {
                    write(read(part, accessor), out);
                }
            }
            // The message must not contain the value.
            default -> throw new IllegalArgumentException("cannot be hashed: " + value.getClass());
        }
    }

    private static void writeMap(SortedMap<?, ?> map, DataOutputStream out) throws IOException {
        writeSize('m', map.size(), out);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            write(entry.getKey(), out);
            write(entry.getValue(), out);
        }
    }

    private static void writeText(char type, String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        writeSize(type, bytes.length, out);
        out.write(bytes);
    }

    private static void writeSize(char type, int size, DataOutputStream out) throws IOException {
        out.writeByte(type);
        out.writeInt(size);
    }

    private static @Nullable Object read(Record part, Method accessor) {
        try {
            return accessor.invoke(part);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + accessor, e);
        }
    }
}
