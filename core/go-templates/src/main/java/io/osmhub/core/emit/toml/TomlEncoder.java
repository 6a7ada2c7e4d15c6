package io.osmhub.core.emit.toml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextMarshaling;
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
    private record Entry(String key, GoValue value, boolean last) {}

    private static final String NO_KEY = "toml: top-level values must be Go maps or structs";
    private static final String NIL_ELEMENT = "toml: cannot encode array with nil element";
    private static final String KEY_TYPE = "toml: cannot encode a map with non-string key type";

    private final StringBuilder out = new StringBuilder();
    private final NestingTracker nesting;
    private final int indent;

    private TomlEncoder(@Nullable ExecutionEnvironment environment, int indent) {
        this.nesting = new NestingTracker(environment);
        this.indent = indent;
    }

    /** {@code indent} is the number of blanks by which each level of tables is indented. */
    public static String encode(GoValue value, int indent) throws GoCallException {
        return encode(value, indent, null);
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws GoCallException for lists with nil in them, maps whose keys are no strings, functions, lists of tables without a key,
     *     and nil itself, with which the Go library panics
     */
    public static String encode(GoValue value, int indent, @Nullable ExecutionEnvironment environment)
            throws GoCallException {
        if (value instanceof GoNil || value instanceof GoNoValue) {
            throw new GoCallException("reflect: call of reflect.Value.Type on zero Value");
        }
        TomlEncoder encoder = new TomlEncoder(environment, indent);
        encoder.encodeRoot(target(value));
        return encoder.out.toString();
    }

    private static GoValue target(GoValue value) {
        GoValue target = value;
        // Pointers to pointers are few; a pointer to itself ends by the bound.
        for (int i = 0;
                i < NestingTracker.MAX_DEPTH && target instanceof GoPointer pointer && pointer.target() != null;
                i++) {
            target = pointer.target();
        }
        return target;
    }

    private static boolean isNil(GoValue value) {
        return switch (value) {
            case GoNoValue a -> true;
            case GoNil n -> true;
            case GoMap map -> map.isNil();
            case GoSlice slice -> slice.isNil();
            case GoPointer pointer -> pointer.isNil();
            default -> false;
        };
    }

    private Shape shape(GoValue value) throws GoCallException {
        nesting.charge(0);
        if (isNil(value)) {
            return Shape.NOTHING;
        }
        if (TextMarshaling.marshalText(value) != null) {
            return Shape.VALUE;
        }
        return switch (value) {
            case GoMap map -> Shape.TABLE;
            case GoStruct struct -> Shape.TABLE;
            case GoSlice slice -> isTables(slice) ? Shape.TABLES : Shape.VALUE;
            case GoFunction f -> throw new GoCallException("unsupported type: func");
            case GoPointer p -> throw nesting.newLimitException();
            default -> Shape.VALUE;
        };
    }

    private boolean isTables(GoSlice slice) throws GoCallException {
        nesting.enter(slice.elements());
        boolean tables = slice.length() > 0;
        for (GoValue item : slice.elements()) {
            Shape shape = shape(target(item));
            if (shape == Shape.NOTHING) {
                throw new GoCallException(NIL_ELEMENT);
            }
            tables &= shape == Shape.TABLE;
        }
        nesting.leave();
        return tables;
    }

    private void encodeRoot(GoValue value) throws GoCallException {
        if (value instanceof GoFunction) {
            throw new GoCallException("unsupported type for key '': func");
        }
        if (value instanceof GoSlice slice && slice.isNil()) {
            array(slice);
        } else {
            encode(List.of(), value);
        }
    }

    private void encode(List<String> key, GoValue value) throws GoCallException {
        switch (shape(value)) {
            case NOTHING -> {}
            case VALUE -> keyValue(key, value, false);
            case TABLE -> table(key, value);
            case TABLES -> tables(key, (GoSlice) value);
        }
    }

    private void tables(List<String> key, GoSlice slice) throws GoCallException {
        if (key.isEmpty()) {
            throw new GoCallException(NO_KEY);
        }
        nesting.enter(slice.elements());
        for (GoValue item : slice.elements()) {
            newLine();
            header(key, "[[", "]]");
            entries(key, target(item));
        }
        nesting.leave();
    }

    private void table(List<String> key, GoValue value) throws GoCallException {
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
        write(TomlStringWriter.joinKey(key));
        write(close);
        newLine();
    }

    private void entries(List<String> key, GoValue value) throws GoCallException {
        nesting.enter(value instanceof GoMap map ? map.elements() : value);
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

    private void inline(GoValue value) throws GoCallException {
        nesting.enter(value instanceof GoMap map ? map.elements() : value);
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
    private List<Entry> entriesOf(GoValue value) throws GoCallException {
        List<Entry> direct = new ArrayList<>();
        List<Entry> tables = new ArrayList<>();
        switch (value) {
            case GoMap map -> {
                if (map.type().key().kind() != GoKind.STRING) {
                    throw new GoCallException(KEY_TYPE);
                }
                for (Map.Entry<GoValue, GoValue> entry : sorted(map)) {
                    GoValue target = target(entry.getValue());
                    String key = ((GoString) entry.getKey()).bytes();
                    (shape(target).isTable() ? tables : direct).add(new Entry(key, target, false));
                }
                markLast(direct, tables);
            }
            case GoStruct struct -> {
                List<Exported> fields = new ArrayList<>();
                collect(struct, -1, fields);
                for (Exported field : fields) {
                    GoValue target = target(field.value());
                    // Which field goes without a comma is decided by its place in the struct, not in the text.
                    boolean last = field.position() == fields.size() - 1;
                    String key = GoString.bytes(field.name());
                    (shape(target).isTable() ? tables : direct).add(new Entry(key, target, last));
                }
            }
            default -> throw new IllegalArgumentException("not a map or struct: " + value.type());
        }
        direct.addAll(tables);
        return direct;
    }

    /** A field that is written; {@code position} is that of the outermost struct's field in which it is. */
    private record Exported(int position, String name, GoValue value) {}

    private static void collect(GoStruct struct, int position, List<Exported> exported) {
        List<GoType.Field> fields = struct.type().fields();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).name();
            int outermost = position < 0 ? i : position;
            if (fields.get(i).embedded() && struct.field(i) instanceof GoStruct embedded) {
                collect(embedded, outermost, exported);
            } else if (Character.isUpperCase(name.charAt(0))) {
                exported.add(new Exported(outermost, name, struct.field(i)));
            }
        }
    }

    private static List<Map.Entry<GoValue, GoValue>> sorted(GoMap map) {
        List<Map.Entry<GoValue, GoValue>> entries =
                new ArrayList<>(map.elements().entrySet());
        entries.sort(Comparator.comparing(entry -> ((GoString) entry.getKey()).bytes()));
        return entries;
    }

    private static void markLast(List<Entry> direct, List<Entry> tables) {
        List<Entry> end = tables.isEmpty() ? direct : tables;
        if (!end.isEmpty()) {
            Entry entry = end.removeLast();
            end.add(new Entry(entry.key(), entry.value(), true));
        }
    }

    private void keyValue(List<String> key, GoValue value, boolean inline) throws GoCallException {
        if (key.isEmpty()) {
            element(value);
            return;
        }
        indent(key);
        write(TomlStringWriter.key(key.getLast()));
        write(" = ");
        element(value);
        if (!inline) {
            newLine();
        }
    }

    private void element(GoValue value) throws GoCallException {
        String text = TextMarshaling.marshalText(value);
        if (text != null) {
            quoted(text);
            return;
        }
        switch (value) {
            case GoString string -> quoted(string.bytes());
            case GoBool bool -> write(bool.value() ? "true" : "false");
            case GoInt integer -> write(TextMarshaling.formatDecimal(integer));
            case GoFloat number -> write(number(number));
            case GoSlice slice -> array(slice);
            case GoMap map -> inline(map);
            case GoStruct struct -> inline(struct);
            case GoPointer pointer -> throw nesting.newLimitException();
            case GoFunction function -> throw new GoCallException("unexpected type: " + function.type());
            default -> throw new GoCallException(NIL_ELEMENT);
        }
    }

    private void array(GoSlice slice) throws GoCallException {
        nesting.enter(slice.elements());
        write("[");
        boolean first = true;
        for (GoValue item : slice.elements()) {
            if (!first) {
                write(", ");
            }
            element(target(item));
            first = false;
        }
        write("]");
        nesting.leave();
    }

    private static String number(GoFloat number) {
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
        write(TomlStringWriter.quote(bytes));
    }

    private void indent(List<String> key) {
        write(" ".repeat(indent * Math.max(key.size() - 1, 0)));
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

    /** String literals and keys as the Go library writes them: in double quotes, on one line. */
    public static final class TomlStringWriter {
        private static final String HEX = "0123456789abcdef";

        private TomlStringWriter() {}

        /** A string literal. */
        public static String quote(String bytes) {
            StringBuilder out = new StringBuilder(bytes.length() + 2).append('"');
            for (int i = 0; i < bytes.length(); i++) {
                char c = bytes.charAt(i);
                switch (c) {
                    case '"' -> out.append("\\\"");
                    case '\\' -> out.append("\\\\");
                    case '\b' -> out.append("\\b");
                    case '\t' -> out.append("\\t");
                    case '\n' -> out.append("\\n");
                    case '\f' -> out.append("\\f");
                    case '\r' -> out.append("\\r");
                    default -> {
                        if (c < 0x20 || c == 0x7F) {
                            out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
                        } else {
                            out.append(c);
                        }
                    }
                }
            }
            return out.append('"').toString();
        }

        /** A path of keys. */
        static String joinKey(List<String> key) {
            StringBuilder text = new StringBuilder();
            for (String part : key) {
                text.append(text.isEmpty() ? "" : ".").append(key(part));
            }
            return text.toString();
        }

        /** A key: bare where the format allows it, else a string. */
        public static String key(String bytes) {
            for (int i = 0; i < bytes.length(); i++) {
                char c = bytes.charAt(i);
                boolean bare = (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '_'
                        || c == '-';
                if (!bare) {
                    return quote(bytes);
                }
            }
            return bytes.isEmpty() ? "\"\"" : bytes;
        }
    }
}
