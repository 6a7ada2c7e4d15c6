package io.osmhub.core.emit.json;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextMarshaling;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoNumbers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON for Go values. All text is bytes as chars, as in {@link io.osmhub.core.golang.GoValue.GoString}. */
public final class GoJson {
    private GoJson() {}

    /** Compact, HTML-safe: {@code json.Marshal}. */
    public static String encode(GoValue value) throws GoCallException {
        return encode(value, null);
    }

    /**
     * Compact, HTML-safe, charged to {@code environment}.
     *
     * @throws GoCallException for what JSON cannot say: functions, NaN, maps whose keys are not text
     */
    public static String encode(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return new JsonEncoder(environment, true, false).encode(value);
    }

    /** Indented by two spaces, HTML-safe. */
    public static String encodeIndented(GoValue value, @Nullable ExecutionEnvironment environment)
            throws GoCallException {
        return new JsonEncoder(environment, true, true).encode(value);
    }

    /** Compact, with {@code <}, {@code >} and {@code &} as they are. */
    public static String encodeRaw(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return new JsonEncoder(environment, false, false).encode(value);
    }

    /** Any JSON value as Go reads it into an {@code any}: all numbers are float64, the last of equal keys wins. */
    public static GoValue decode(String bytes) throws GoCallException {
        return decode(bytes, null);
    }

    /** The same, charged to {@code environment}. */
    public static GoValue decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        new NestingTracker(environment).chargeDecoding(bytes);
        try {
            return JsonDecoder.decode(bytes);
        } catch (TextSyntaxException malformed) {
            throw malformed.toCallException("json");
        }
    }

    /** A JSON object as a {@code map[string]interface {}}; {@code null} gives a nil map. */
    public static GoValue decodeMap(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return decodeAs(new GoMap(GoType.DICT, null), bytes, environment);
    }

    /** A JSON array as a {@code []interface {}}; {@code null} gives a nil list. */
    public static GoValue decodeList(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return decodeAs(new GoSlice(GoType.LIST, null), bytes, environment);
    }

    private static GoValue decodeAs(GoValue nil, String bytes, @Nullable ExecutionEnvironment environment)
            throws GoCallException {
        GoValue value = decode(bytes, environment);
        if (value instanceof GoNil) {
            return nil;
        }
        if (!value.type().equals(nil.type())) {
            throw new GoCallException(
                    "json: cannot unmarshal " + jsonName(value) + " into Go value of type " + nil.type());
        }
        return value;
    }

    private static String jsonName(GoValue value) {
        return switch (value) {
            case GoMap map -> "object";
            case GoSlice slice -> "array";
            case GoString string -> "string";
            case GoBool bool -> "bool";
            default -> "number";
        };
    }

    /** One writing of a value as JSON. The text is Java text until it is complete. */
    private static final class JsonEncoder {
        private record Entry(String key, GoValue value) {}

        private final StringBuilder out = new StringBuilder();
        private final NestingTracker nesting;
        private final boolean htmlSafe;
        private final boolean indented;
        private int level;

        JsonEncoder(@Nullable ExecutionEnvironment environment, boolean htmlSafe, boolean indented) {
            this.nesting = new NestingTracker(environment);
            this.htmlSafe = htmlSafe;
            this.indented = indented;
        }

        String encode(GoValue value) throws GoCallException {
            write(value);
            return GoString.bytes(out.toString());
        }

        private void write(GoValue value) throws GoCallException {
            String text = TextMarshaling.marshalJson(value);
            if (text != null) {
                string(text);
                return;
            }
            switch (value) {
                case GoBool bool -> literal(bool.value() ? "true" : "false");
                case GoInt integer -> literal(TextMarshaling.formatDecimal(integer));
                case GoFloat number -> literal(number(number));
                case GoString string -> string(string.bytes());
                case GoSlice slice -> slice(slice);
                case GoMap map -> map(map);
                case GoStruct struct -> struct(struct);
                case GoPointer pointer -> pointer(pointer);
                case GoFunction function -> throw unsupported(function.type());
                default -> literal("null");
            }
        }

        private static GoCallException unsupported(GoType type) {
            return new GoCallException("json: unsupported type: " + type);
        }

        private void literal(String text) {
            nesting.charge(text.length());
            out.append(text);
        }

        private void string(String bytes) {
            nesting.charge(bytes.length());
            JsonWriter.appendQuoted(out, Utf8Bytes.decode(bytes), htmlSafe);
        }

        /** Like JavaScript: an exponent only for numbers below 1e-6 or from 1e21 on, and without a leading zero. */
        private static String number(GoFloat number) throws GoCallException {
            double value = number.value();
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                String name = Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
                throw new GoCallException("json: unsupported value: " + name);
            }
            int bits = number.kind().bits();
            double magnitude = Math.abs(value);
            boolean exponent = magnitude != 0
                    && (bits == 32
                            ? (float) magnitude < 1e-6f || (float) magnitude >= 1e21f
                            : magnitude < 1e-6 || magnitude >= 1e21);
            if (!exponent) {
                return GoNumbers.formatFloat(value, 'f', -1, bits);
            }
            String text = GoNumbers.formatFloat(value, 'e', -1, bits);
            int length = text.length();
            return text.startsWith("e-0", length - 4) ? text.substring(0, length - 2) + text.charAt(length - 1) : text;
        }

        private void slice(GoSlice slice) throws GoCallException {
            if (slice.isNil()) {
                literal("null");
            } else if (slice.type().elem().equals(GoType.UINT8)) {
                base64(slice);
            } else {
                nesting.enter(slice.elements());
                open('[');
                boolean first = true;
                for (GoValue item : slice.elements()) {
                    separate(first);
                    write(item);
                    first = false;
                }
                close(']', first);
                nesting.leave();
            }
        }

        private void base64(GoSlice slice) {
            nesting.charge(slice.length() * 4 / 3 + 4);
            byte[] bytes = new byte[slice.length()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = slice.elements().get(i) instanceof GoInt octet ? (byte) octet.value() : 0;
            }
            out.append('"').append(Base64.getEncoder().encodeToString(bytes)).append('"');
        }

        private void map(GoMap map) throws GoCallException {
            GoKind keyKind = map.type().key().kind();
            if (keyKind != GoKind.STRING && !keyKind.isInteger()) {
                throw unsupported(map.type());
            }
            if (map.isNil()) {
                literal("null");
                return;
            }
            nesting.enter(map.elements());
            List<Entry> entries = new ArrayList<>(map.length());
            for (Map.Entry<GoValue, GoValue> entry : map.elements().entrySet()) {
                entries.add(new Entry(key(entry.getKey()), entry.getValue()));
            }
            entries.sort(Comparator.comparing(Entry::key));
            fields(entries);
            nesting.leave();
        }

        private static String key(GoValue key) {
            return switch (key) {
                case GoString string -> string.bytes();
                case GoInt integer -> TextMarshaling.formatDecimal(integer);
                default -> throw new IllegalArgumentException("a map key that its type does not allow: " + key.type());
            };
        }

        private void struct(GoStruct struct) throws GoCallException {
            List<Entry> entries = new ArrayList<>(struct.type().fields().size());
            collect(struct, entries);
            nesting.enter(struct);
            fields(entries);
            nesting.leave();
        }

        /** The fields of a struct, those of embedded structs in their place. */
        private static void collect(GoStruct struct, List<Entry> entries) {
            List<GoType.Field> fields = struct.type().fields();
            for (int i = 0; i < fields.size(); i++) {
                GoType.Field field = fields.get(i);
                if (field.embedded() && struct.field(i) instanceof GoStruct embedded) {
                    collect(embedded, entries);
                    continue;
                }
                if (!Character.isUpperCase(field.name().charAt(0))
                        || field.jsonName().equals("-")) {
                    continue;
                }
                GoValue value = struct.field(i);
                if (!field.omitEmpty() || !isEmpty(value)) {
                    entries.add(new Entry(GoString.bytes(field.jsonKey()), value));
                }
            }
        }

        private static boolean isEmpty(GoValue value) {
            return switch (value) {
                case GoNoValue a -> true;
                case GoNil n -> true;
                case GoBool bool -> !bool.value();
                case GoInt integer -> integer.value() == 0;
                case GoFloat number -> number.value() == 0;
                case GoString string -> string.bytes().isEmpty();
                case GoSlice slice -> slice.length() == 0;
                case GoMap map -> map.length() == 0;
                case GoPointer pointer -> pointer.isNil();
                default -> false;
            };
        }

        private void fields(List<Entry> entries) throws GoCallException {
            open('{');
            boolean first = true;
            for (Entry entry : entries) {
                separate(first);
                string(entry.key());
                out.append(indented ? ": " : ":");
                write(entry.value());
                first = false;
            }
            close('}', first);
        }

        private void pointer(GoPointer pointer) throws GoCallException {
            GoValue target = pointer.target();
            if (target == null) {
                literal("null");
                return;
            }
            nesting.enter(pointer);
            write(target);
            nesting.leave();
        }

        private void open(char bracket) {
            out.append(bracket);
            level++;
        }

        private void separate(boolean first) {
            if (!first) {
                out.append(',');
            }
            newLine();
        }

        private void close(char bracket, boolean empty) {
            level--;
            if (!empty) {
                newLine();
            }
            out.append(bracket);
        }

        private void newLine() {
            if (indented) {
                nesting.charge(2 * level + 1);
                out.append('\n').repeat("  ", level);
            }
        }
    }
}
