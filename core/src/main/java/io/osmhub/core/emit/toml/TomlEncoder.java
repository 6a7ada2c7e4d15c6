package io.osmhub.core.emit.toml;

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
import io.osmhub.core.golang.time.TimeTypes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes values as TOML. Nil entries of maps and structs are left out. A list of nothing but maps becomes an array of tables;
 * maps within any other list are written inline.
 */
public final class TomlEncoder {
    /** What a value is to TOML; {@code NOTHING} for nil. */
    private enum Shape {
        NOTHING,
        VALUE,
        TABLE,
        TABLES;

        boolean isTable() {
            return this == TABLE || this == TABLES;
        }
    }

    /** An entry of a map or struct; {@code last} when no comma follows it where it is written inline. */
    private record Entry(String key, Value value, boolean last) {}

    private static final String NO_KEY = "toml: top-level values must be Go maps or structs";
    private static final String NIL_ELEMENT = "toml: cannot encode array with nil element";
    private static final String KEY_TYPE = "toml: cannot encode a map with non-string key type";

    private final StringBuilder out = new StringBuilder();
    private final Nesting nesting;
    private final int indent;

    private TomlEncoder(@Nullable Environment environment, int indent) {
        this.nesting = new Nesting(environment);
        this.indent = indent;
    }

    /** {@code indent} is the number of blanks by which each level of tables is indented. */
    public static String encode(Value value, int indent) throws CallFailure {
        return encode(value, indent, null);
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws CallFailure for lists with nil in them, maps whose keys are no strings, functions, lists of tables without a key,
     *     and nil itself, with which the Go library panics
     */
    public static String encode(Value value, int indent, @Nullable Environment environment) throws CallFailure {
        if (value instanceof Nil || value instanceof Absent) {
            throw new CallFailure("reflect: call of reflect.Value.Type on zero Value");
        }
        TomlEncoder encoder = new TomlEncoder(environment, indent);
        encoder.encode(List.of(), target(value));
        return encoder.out.toString();
    }

    private static Value target(Value value) {
        Value target = value;
        // Pointers to pointers are few; a pointer to itself ends by the bound.
        for (int i = 0; i < Nesting.MAX_DEPTH && target instanceof Pointer pointer && pointer.target() != null; i++) {
            target = pointer.target();
        }
        return target;
    }

    private static boolean isNil(Value value) {
        return switch (value) {
            case Absent a -> true;
            case Nil n -> true;
            case MapValue map -> map.isNil();
            case Slice slice -> slice.isNil();
            case Pointer pointer -> pointer.isNil();
            case Bool b -> false;
            case Int i -> false;
            case Flt f -> false;
            case Complex c -> false;
            case Str s -> false;
            case Struct s -> false;
            case Opaque o -> false;
            case Func f -> false;
        };
    }

    private Shape shape(Value value) throws CallFailure {
        nesting.charge(0);
        if (isNil(value)) {
            return Shape.NOTHING;
        }
        if (TextForms.text(value) != null) {
            return Shape.VALUE;
        }
        return switch (value) {
            case MapValue map -> Shape.TABLE;
            case Struct struct -> Shape.TABLE;
            case Opaque opaque -> Shape.TABLE;
            case Slice slice -> isTables(slice) ? Shape.TABLES : Shape.VALUE;
            case Func f -> throw new CallFailure("unsupported type: func");
            case Complex c ->
                throw new CallFailure("unsupported type: " + c.kind().goName());
            case Pointer p -> throw nesting.tooDeep();
            case Bool b -> Shape.VALUE;
            case Int i -> Shape.VALUE;
            case Flt f -> Shape.VALUE;
            case Str s -> Shape.VALUE;
            case Absent a -> Shape.NOTHING;
            case Nil n -> Shape.NOTHING;
        };
    }

    private boolean isTables(Slice slice) throws CallFailure {
        enter(slice.elements());
        boolean tables = slice.length() > 0;
        for (Value item : slice.elements()) {
            Shape shape = shape(target(item));
            if (shape == Shape.NOTHING) {
                throw new CallFailure(NIL_ELEMENT);
            }
            tables &= shape == Shape.TABLE;
        }
        nesting.leave();
        return tables;
    }

    private void encode(List<String> key, Value value) throws CallFailure {
        if (isNil(value) && !(value instanceof Slice)) {
            return;
        }
        if (TextForms.text(value) != null) {
            keyValue(key, value, false);
            return;
        }
        switch (value) {
            case Slice slice -> {
                if (isTables(slice)) {
                    tables(key, slice);
                } else {
                    keyValue(key, slice, false);
                }
            }
            case MapValue map -> table(key, map);
            case Struct struct -> table(key, struct);
            case Opaque opaque -> table(key, opaque);
            case Func f -> throw unsupported(key, f);
            case Complex c -> throw unsupported(key, c);
            case Pointer p -> throw nesting.tooDeep();
            case Bool b -> keyValue(key, b, false);
            case Int i -> keyValue(key, i, false);
            case Flt f -> keyValue(key, f, false);
            case Str s -> keyValue(key, s, false);
            case Absent a -> {}
            case Nil n -> {}
        }
    }

    private static CallFailure unsupported(List<String> key, Value value) {
        return new CallFailure("unsupported type for key '" + TomlStrings.dotted(key) + "': "
                + value.kind().goName());
    }

    private void tables(List<String> key, Slice slice) throws CallFailure {
        if (key.isEmpty()) {
            throw new CallFailure(NO_KEY);
        }
        enter(slice.elements());
        for (Value item : slice.elements()) {
            newLine();
            header(key, "[[", "]]");
            entries(key, target(item));
        }
        nesting.leave();
    }

    private void table(List<String> key, Value value) throws CallFailure {
        if (key.size() == 1) {
            newLine(); // a blank line between top-level tables
        }
        if (!key.isEmpty()) {
            header(key, "[", "]");
        }
        entries(key, value);
    }

    private void header(List<String> key, String open, String close) {
        indent(key);
        write(open);
        write(TomlStrings.dotted(key));
        write(close);
        newLine();
    }

    private void entries(List<String> key, Value value) throws CallFailure {
        enter(value instanceof MapValue map ? map.elements() : value);
        List<String> path = new ArrayList<>(key);
        path.add("");
        for (Entry entry : entriesOf(value)) {
            if (!isNil(entry.value())) {
                path.set(key.size(), entry.key());
                encode(path, entry.value());
            }
        }
        nesting.leave();
    }

    private void inline(Value value) throws CallFailure {
        enter(value instanceof MapValue map ? map.elements() : value);
        write("{");
        for (Entry entry : entriesOf(value)) {
            if (!isNil(entry.value())) {
                keyValue(List.of(entry.key()), entry.value(), true);
                if (!entry.last()) {
                    write(", ");
                }
            }
        }
        write("}");
        nesting.leave();
    }

    /** Those that are values before those that are tables, because what follows a table's header belongs to that table. */
    private List<Entry> entriesOf(Value value) throws CallFailure {
        List<Entry> direct = new ArrayList<>();
        List<Entry> tables = new ArrayList<>();
        switch (value) {
            case MapValue map -> {
                if (map.type().key().kind() != Kind.STRING) {
                    throw new CallFailure(KEY_TYPE);
                }
                for (Map.Entry<Value, Value> entry : sorted(map)) {
                    Value target = target(entry.getValue());
                    String key = ((Str) entry.getKey()).bytes();
                    (shape(target).isTable() ? tables : direct).add(new Entry(key, target, false));
                }
                markLast(direct, tables);
            }
            case Struct struct -> {
                List<Exported> fields = new ArrayList<>();
                collect(struct, -1, fields);
                for (Exported field : fields) {
                    Value target = target(field.value());
                    // Which field goes without a comma is decided by its place in the struct, not in the text.
                    boolean last = field.position() == fields.size() - 1;
                    String key = Str.bytes(field.name());
                    (shape(target).isTable() ? tables : direct).add(new Entry(key, target, last));
                }
            }
            default -> {} // a struct without exported fields
        }
        direct.addAll(tables);
        return direct;
    }

    /** A field that is written; {@code position} is that of the outermost struct's field in which it is. */
    private record Exported(int position, String name, Value value) {}

    private static void collect(Struct struct, int position, List<Exported> exported) {
        List<Type.Field> fields = struct.type().fields();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).name();
            int outermost = position < 0 ? i : position;
            if (fields.get(i).embedded() && struct.field(i) instanceof Struct embedded) {
                collect(embedded, outermost, exported);
            } else if (Character.isUpperCase(name.charAt(0))) {
                exported.add(new Exported(outermost, name, struct.field(i)));
            }
        }
    }

    private static List<Map.Entry<Value, Value>> sorted(MapValue map) {
        List<Map.Entry<Value, Value>> entries = new ArrayList<>(map.elements().entrySet());
        entries.sort(Comparator.comparing(entry -> ((Str) entry.getKey()).bytes()));
        return entries;
    }

    private static void markLast(List<Entry> direct, List<Entry> tables) {
        List<Entry> end = tables.isEmpty() ? direct : tables;
        if (!end.isEmpty()) {
            Entry entry = end.removeLast();
            end.add(new Entry(entry.key(), entry.value(), true));
        }
    }

    private void keyValue(List<String> key, Value value, boolean inline) throws CallFailure {
        if (key.isEmpty()) {
            element(value);
            return;
        }
        indent(key);
        write(TomlStrings.key(key.getLast()));
        write(" = ");
        element(value);
        if (!inline) {
            newLine();
        }
    }

    private void element(Value value) throws CallFailure {
        String text = TextForms.text(value);
        if (text != null) {
            if (TextForms.isTime(value)) {
                write(TomlTimes.text(TimeTypes.time(value)));
            } else {
                quoted(text);
            }
            return;
        }
        switch (value) {
            case Str string -> quoted(string.bytes());
            case Bool bool -> write(bool.value() ? "true" : "false");
            case Int integer -> write(TextForms.decimal(integer));
            case Flt number -> write(number(number));
            case Slice slice -> array(slice);
            case MapValue map -> inline(map);
            case Struct struct -> inline(struct);
            case Opaque opaque -> inline(opaque);
            case Pointer pointer -> throw nesting.tooDeep();
            case Absent a -> throw new CallFailure(NIL_ELEMENT);
            case Nil n -> throw new CallFailure(NIL_ELEMENT);
            case Func f -> throw new CallFailure("unexpected type: " + f.type());
            case Complex c -> throw new CallFailure("unexpected type: " + c.type());
        }
    }

    private void array(Slice slice) throws CallFailure {
        enter(slice.elements());
        write("[");
        boolean first = true;
        for (Value item : slice.elements()) {
            if (!first) {
                write(", ");
            }
            element(target(item));
            first = false;
        }
        write("]");
        nesting.leave();
    }

    private static String number(Flt number) {
        double value = number.value();
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String text = GoNumbers.formatFloat(value, 'g', -1, number.kind().bits());
        return text.indexOf('.') < 0 && text.indexOf('e') < 0 ? text + ".0" : text;
    }

    private void quoted(String bytes) {
        write(TomlStrings.quote(bytes));
    }

    private void indent(List<String> key) {
        out.repeat(' ', indent * (key.size() - 1));
    }

    private void newLine() {
        if (!out.isEmpty()) {
            write("\n");
        }
    }

    private void write(String text) {
        nesting.charge(text.length());
        out.append(text);
    }

    private void enter(Object container) {
        if (!nesting.enter(container)) {
            throw nesting.tooDeep();
        }
    }
}
