package io.osmhub.core.emit.json;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.emit.TextForms;
import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoNumbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One writing of a value as JSON. */
final class JsonEncoder {
    private record Entry(String key, Value value) {}

    private final StringBuilder out = new StringBuilder();
    private final Nesting nesting;
    private final boolean htmlSafe;
    private final boolean indented;
    private int level;

    JsonEncoder(@Nullable Environment environment, boolean htmlSafe, boolean indented) {
        this.nesting = new Nesting(environment);
        this.htmlSafe = htmlSafe;
        this.indented = indented;
    }

    String encode(Value value) throws CallFailure {
        write(value);
        return out.toString();
    }

    private void write(Value value) throws CallFailure {
        String text = TextForms.json(value);
        if (text != null) {
            string(text);
            return;
        }
        switch (value) {
            case Absent a -> literal("null");
            case Nil n -> literal("null");
            case Bool bool -> literal(bool.value() ? "true" : "false");
            case Int integer -> literal(TextForms.decimal(integer));
            case Flt number -> literal(number(number));
            case Str string -> string(string.bytes());
            case Slice slice -> slice(slice);
            case MapValue map -> map(map);
            case Struct struct -> struct(struct);
            case Opaque opaque -> literal("{}");
            case Pointer pointer -> pointer(pointer);
            case Complex complex -> throw unsupported(complex.type());
            case Func function -> throw unsupported(function.type());
        }
    }

    private static CallFailure unsupported(Type type) {
        return new CallFailure("json: unsupported type: " + type);
    }

    private void literal(String text) {
        nesting.charge(text.length());
        out.append(text);
    }

    private void string(String bytes) {
        nesting.charge(bytes.length());
        JsonStrings.appendBytes(out, bytes, htmlSafe);
    }

    /** Like JavaScript: an exponent only for numbers below 1e-6 or from 1e21 on, and without a leading zero. */
    private static String number(Flt number) throws CallFailure {
        double value = number.value();
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            String name = Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
            throw new CallFailure("json: unsupported value: " + name);
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

    private void slice(Slice slice) throws CallFailure {
        if (slice.isNil()) {
            literal("null");
        } else if (slice.type().elem().equals(Type.UINT8)) {
            base64(slice);
        } else {
            enter(slice, slice.elements());
            open('[');
            boolean first = true;
            for (Value item : slice.elements()) {
                separate(first);
                write(item);
                first = false;
            }
            close(']', first);
            nesting.leave();
        }
    }

    private void base64(Slice slice) {
        nesting.charge(slice.length() * 4 / 3 + 4);
        byte[] bytes = new byte[slice.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = slice.elements().get(i) instanceof Int octet ? (byte) octet.value() : 0;
        }
        out.append('"')
                .append(new String(Base64.getEncoder().encode(bytes), StandardCharsets.ISO_8859_1))
                .append('"');
    }

    private void map(MapValue map) throws CallFailure {
        Kind keyKind = map.type().key().kind();
        if (keyKind != Kind.STRING && !keyKind.isInteger()) {
            throw unsupported(map.type());
        }
        if (map.isNil()) {
            literal("null");
            return;
        }
        enter(map, map.elements());
        List<Entry> entries = new ArrayList<>(map.length());
        for (Map.Entry<Value, Value> entry : map.elements().entrySet()) {
            entries.add(new Entry(key(entry.getKey()), entry.getValue()));
        }
        entries.sort(Comparator.comparing(Entry::key));
        fields(entries);
        nesting.leave();
    }

    private static String key(Value key) {
        return switch (key) {
            case Str string -> string.bytes();
            case Int integer -> TextForms.decimal(integer);
            default -> throw new IllegalArgumentException("a map key that its type does not allow: " + key.type());
        };
    }

    private void struct(Struct struct) throws CallFailure {
        List<Entry> entries = new ArrayList<>(struct.type().fields().size());
        collect(struct, entries);
        enter(struct, struct);
        fields(entries);
        nesting.leave();
    }

    /** The fields of a struct, those of embedded structs in their place. */
    private static void collect(Struct struct, List<Entry> entries) {
        List<Type.Field> fields = struct.type().fields();
        for (int i = 0; i < fields.size(); i++) {
            Type.Field field = fields.get(i);
            if (field.embedded() && struct.field(i) instanceof Struct embedded) {
                collect(embedded, entries);
                continue;
            }
            if (!Character.isUpperCase(field.name().charAt(0))
                    || field.jsonName().equals("-")) {
                continue;
            }
            Value value = struct.field(i);
            if (!field.omitEmpty() || !isEmpty(value)) {
                entries.add(new Entry(Str.bytes(field.jsonKey()), value));
            }
        }
    }

    private static boolean isEmpty(Value value) {
        return switch (value) {
            case Absent a -> true;
            case Nil n -> true;
            case Bool bool -> !bool.value();
            case Int integer -> integer.value() == 0;
            case Flt number -> number.value() == 0;
            case Str string -> string.bytes().isEmpty();
            case Slice slice -> slice.length() == 0;
            case MapValue map -> map.length() == 0;
            case Pointer pointer -> pointer.isNil();
            case Complex complex -> false;
            case Struct struct -> false;
            case Opaque opaque -> false;
            case Func function -> false;
        };
    }

    private void fields(List<Entry> entries) throws CallFailure {
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

    private void pointer(Pointer pointer) throws CallFailure {
        Value target = pointer.target();
        if (target == null) {
            literal("null");
            return;
        }
        enter(pointer, pointer);
        write(target);
        nesting.leave();
    }

    private void enter(Value value, Object container) throws CallFailure {
        if (!nesting.enter(container)) {
            if (nesting.isCycle()) {
                throw new CallFailure("json: unsupported value: encountered a cycle via " + value.type());
            }
            throw nesting.tooDeep();
        }
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
