package io.osmhub.core.golang;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.golang.GoType.GoKind;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A Go value with its dynamic type. Immutable except for maps and slices, which Go shares by reference.
 *
 * <p>Interfaces are never values here: an {@code any} is represented by the value that it holds, an empty one by {@link GoNil#ANY}.
 * {@link GoNoValue} is Go's zero {@code reflect.Value}, the result of a missing map key.
 */
public sealed interface GoValue {
    /** The dynamic type. */
    GoType type();

    /** The dynamic type's kind. */
    default GoKind kind() {
        return type().kind();
    }

    /** Go's zero {@code reflect.Value}: prints {@code <no value>} and is false. */
    enum GoNoValue implements GoValue {
        ABSENT;

        @Override
        public GoType type() {
            return GoType.ANY;
        }
    }

    /** An empty interface value of the given interface type: Go's untyped {@code nil}. Nil pointers, slices and maps are typed. */
    record GoNil(GoType type) implements GoValue {
        public static final GoNil ANY = new GoNil(GoType.ANY);
    }

    record GoBool(GoType type, boolean value) implements GoValue {
        public static final GoBool TRUE = new GoBool(GoType.BOOL, true);
        public static final GoBool FALSE = new GoBool(GoType.BOOL, false);

        public static GoBool of(boolean value) {
            return value ? TRUE : FALSE;
        }
    }

    /** An integer of any width, signed or not. An unsigned 64-bit value is stored as the long with the same bits. */
    record GoInt(GoType type, long value) implements GoValue {
        private static final GoInt[] SMALL = new GoInt[256];

        static {
            for (int i = 0; i < SMALL.length; i++) {
                SMALL[i] = new GoInt(GoType.INT, i);
            }
        }

        /** An {@code int}. */
        public static GoInt of(long value) {
            return value >= 0 && value < SMALL.length ? SMALL[(int) value] : new GoInt(GoType.INT, value);
        }

        /** An {@code int64}. */
        public static GoInt int64(long value) {
            return new GoInt(GoType.INT64, value);
        }
    }

    /** A float32 or float64; a float32 holds a value that fits one. */
    record GoFloat(GoType type, double value) implements GoValue {
        /** A {@code float64}. */
        public static GoFloat of(double value) {
            return new GoFloat(GoType.FLOAT64, value);
        }
    }

    /** A Go string. {@code bytes} has one char, 0 to 255, for each byte of the string, which is usually but not necessarily UTF-8. */
    record GoString(GoType type, String bytes) implements GoValue {
        public static final GoString EMPTY = new GoString(GoType.STRING, "");

        /** A {@code string} from bytes as chars. */
        public static GoString ofBytes(String bytes) {
            return bytes.isEmpty() ? EMPTY : new GoString(GoType.STRING, bytes);
        }

        /** A {@code string} from Java text. */
        public static GoString of(String text) {
            return ofBytes(bytes(text));
        }

        /** Java text as UTF-8 bytes, one char each. */
        public static String bytes(String text) {
            return isAscii(text) ? text : new String(text.getBytes(UTF_8), ISO_8859_1);
        }

        /** Java text of UTF-8 bytes; invalid UTF-8 becomes U+FFFD. */
        public static String text(String bytes) {
            return isAscii(bytes) ? bytes : new String(bytes.getBytes(ISO_8859_1), UTF_8);
        }

        /** Checks four characters at a time, which takes less than half the time: every text of a rendering passes here. */
        private static boolean isAscii(String text) {
            int length = text.length();
            int i = 0;
            for (; i + 4 <= length; i += 4) {
                if ((text.charAt(i) | text.charAt(i + 1) | text.charAt(i + 2) | text.charAt(i + 3)) >= 0x80) {
                    return false;
                }
            }
            for (; i < length; i++) {
                if (text.charAt(i) >= 0x80) {
                    return false;
                }
            }
            return true;
        }

        /** This string as Java text; invalid UTF-8 becomes U+FFFD. */
        public String text() {
            return text(bytes);
        }
    }

    /** A slice; {@code items} is null for a nil slice. A {@code []byte} has {@link GoValue.GoInt}s of kind uint8. */
    record GoSlice(GoType type, @Nullable List<GoValue> items) implements GoValue {
        /** A {@code []interface {}}. */
        public static GoSlice of(List<GoValue> items) {
            return new GoSlice(GoType.LIST, items);
        }

        public boolean isNil() {
            return items == null;
        }

        /** The elements, none for a nil slice. */
        public List<GoValue> elements() {
            return items == null ? List.of() : items;
        }

        public int length() {
            return items == null ? 0 : items.size();
        }
    }

    /**
     * A map; {@code entries} is null for a nil map. Shared by reference as in Go, so that sprig's {@code set} affects all holders. The
     * order of {@code entries} has no meaning; printing sorts the keys.
     */
    record GoMap(GoType type, @Nullable Map<GoValue, GoValue> entries) implements GoValue {
        /** A {@code map[string]interface {}}. */
        public static GoMap of(Map<GoValue, GoValue> entries) {
            return new GoMap(GoType.DICT, entries);
        }

        public boolean isNil() {
            return entries == null;
        }

        /** The entries, none for a nil map. */
        public Map<GoValue, GoValue> elements() {
            return entries == null ? Map.of() : entries;
        }

        public int length() {
            return entries == null ? 0 : entries.size();
        }
    }

    /**
     * A struct. Every read of a field, by a template, a printer or an encoder, calls {@code fields}, so that the owner can record which
     * fields were used.
     */
    record GoStruct(GoType type, IntFunction<GoValue> fields) implements GoValue {
        public static GoStruct of(GoType type, List<GoValue> values) {
            List<GoValue> copy = List.copyOf(values);
            return new GoStruct(type, copy::get);
        }

        /** The field at that position of {@code type.fields()}. */
        public GoValue field(int index) {
            return fields.apply(index);
        }
    }

    /** A pointer; {@code target} is null for a nil one. */
    record GoPointer(GoType type, @Nullable GoValue target) implements GoValue {
        public static GoPointer to(GoValue target) {
            return new GoPointer(GoType.pointerTo(target.type()), target);
        }

        public static GoPointer nil(GoType elem) {
            return new GoPointer(GoType.pointerTo(elem), null);
        }

        public boolean isNil() {
            return target == null;
        }
    }

    /** A function value; {@code code} is null for a nil function. */
    record GoFunction(GoType type, @Nullable Code code) implements GoValue {
        /** The implementation of a function. Its arguments have been checked against the function's type. */
        @FunctionalInterface
        public interface Code {
            /**
             * Calls the function. A variadic function gets its variadic arguments one by one.
             *
             * @throws GoCallException where Go would return an error
             */
            GoValue call(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException;
        }
    }
}
