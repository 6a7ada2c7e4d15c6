package io.osmhub.core.emit.toml;

import static io.osmhub.core.emit.toml.TomlCharacterReader.END;
import static io.osmhub.core.emit.toml.TomlCharacterReader.isBlank;
import static io.osmhub.core.emit.toml.TomlCharacterReader.isNewLine;

import io.osmhub.core.emit.DecodeResult;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.toml.TomlDecoder.TomlTableBuilder.TableConflictException;
import io.osmhub.core.emit.toml.TomlEncoder.TomlStringWriter;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads TOML 1.1 into a {@code map[string]interface {}} as Go's {@code BurntSushi/toml} does, with its error texts. */
public final class TomlDecoder {
    /** A step of the budget copies about this many parts of paths. */
    private static final int PARTS_PER_STEP = 256;

    private final TomlTableBuilder tables = new TomlTableBuilder();
    private final TomlCharacterReader source;
    private final TomlScalarParser scalars;
    private final TomlStringParser texts;
    private final NestingTracker nesting;
    /** Line of the key read last, which errors about keys name. */
    private int keyLine;

    private TomlDecoder(String bytes, NestingTracker nesting) throws GoCallException {
        this.source = new TomlCharacterReader(bytes, tables::lastKey);
        this.scalars = new TomlScalarParser(source);
        this.texts = new TomlStringParser(source);
        this.nesting = nesting;
    }

    /**
     * Reads a document within the limits of {@link NestingTracker#ofDocument}; text is bytes as chars.
     *
     * @throws GoCallException with the Go library's words, which begin with {@code toml: line}
     * @throws LimitExceededException for more parts than a document may have
     */
    public static GoMap decode(String bytes) throws GoCallException {
        return new TomlDecoder(bytes, NestingTracker.ofDocument()).document();
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws GoCallException with the Go library's words, which begin with {@code toml: line}
     */
    public static GoMap decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return new TomlDecoder(bytes, new NestingTracker(environment)).document();
    }

    /** Reads a document; beside an error the map is empty. */
    public static DecodeResult decodeMap(String bytes, @Nullable ExecutionEnvironment environment) {
        try {
            return new DecodeResult(decode(bytes, environment), null);
        } catch (GoCallException failure) {
            return new DecodeResult(GoMap.of(new HashMap<>()), failure.text());
        }
    }

    private GoMap document() throws GoCallException {
        while (true) {
            int c = source.next();
            if (c == END) {
                return GoMap.of(tables.root());
            }
            if (c == '#') {
                source.skipComment();
            } else if (c == '[') {
                header();
                lineEnd();
            } else if (!isBlank(c) && !isNewLine(c)) {
                source.back();
                topLevelValue();
                lineEnd();
            }
        }
    }

    private void lineEnd() throws GoCallException {
        source.skipBlanks();
        int c = source.next();
        if (c == '#') {
            source.skipComment();
        } else if (c != END && !isNewLine(c)) {
            throw source.error("expected a top-level item to end with a newline, comment, or EOF, but got "
                    + TomlCharacterReader.quoted(c) + " instead");
        }
    }

    private GoCallException at(TableConflictException conflict) {
        return source.error(keyLine, conflict.text());
    }

    private void header() throws GoCallException {
        boolean inList = source.accept('[');
        List<String> path = new ArrayList<>();
        do {
            source.skipBlanks();
            int c = source.peek();
            if (c == ']' || c == END) {
                throw source.error("unexpected end of table name (table names cannot be empty)");
            }
            if (c == '.') {
                throw source.error("unexpected table separator (table names cannot be empty)");
            }
            path.add(keyPart());
            source.skipBlanks();
        } while (separator(']', "expected '.' or ']' to end table name, but got ", 0));
        chargePath(List.of(), path);
        if (inList) {
            int c = source.next();
            if (c != ']') {
                throw source.error("expected end of table array name delimiter ']', but got "
                        + TomlCharacterReader.quoted(c) + " instead");
            }
        }
        try {
            tables.enter(path, inList);
        } catch (TableConflictException conflict) {
            throw at(conflict);
        }
    }

    /** Reads what follows a key's part; true for a dot, false for {@code end}. */
    private boolean separator(char end, String expected, int linesBack) throws GoCallException {
        int c = source.next();
        if (c == '.' || c == end) {
            return c == '.';
        }
        if (c == END && end == '=') {
            throw source.errorAtEnd("unexpected EOF; expected key separator '='");
        }
        int line = c == '\n' ? source.line() - linesBack : source.line();
        throw source.error(line, expected + TomlCharacterReader.quoted(c) + " instead");
    }

    private String keyPart() throws GoCallException {
        int c = source.next();
        String part;
        if (c == '"' || c == '\'') {
            part = texts.parseSingleLine(c);
        } else {
            int start = source.position()
                    - (c == END ? 0 : TomlCharacterReader.raw(c).length());
            while (isBareKeyCharacter(c)) {
                c = source.next();
            }
            source.back();
            part = source.since(Math.min(start, source.position()));
        }
        keyLine = source.line();
        nesting.charge(part.length());
        return part;
    }

    private static boolean isBareKeyCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || TomlScalarParser.isDigit(c) || c == '_' || c == '-';
    }

    /** Reads a key with its dots and the equals sign. */
    private List<String> keyPath() throws GoCallException {
        List<String> path = new ArrayList<>();
        do {
            source.skipBlanks();
            int c = source.peek();
            boolean first = path.isEmpty();
            if (c == '=' || c == END) {
                throw source.error(first ? "unexpected '=': key name appears blank" : "unexpected '='");
            }
            if (c == '.') {
                throw source.error(first ? "unexpected '.': keys cannot start with a '.'" : "unexpected '.'");
            }
            path.add(keyPart());
            source.skipBlanks();
        } while (separator('=', "expected '.' or '=', but got ", 1));
        return path;
    }

    /** Tables are found from the root and cached by their whole path, again for each part of a key. */
    private void chargePath(List<String> context, List<String> path) {
        long depth = (long) context.size() + path.size();
        long chars = depth;
        for (String part : context) {
            chars += part.length();
        }
        for (String part : path) {
            chars += part.length();
        }
        if (depth > nesting.maxDepth()) {
            throw new LimitExceededException("a key with more than " + nesting.maxDepth() + " parts");
        }
        nesting.charge(1 + path.size() * depth * depth / PARTS_PER_STEP, path.size() * chars);
    }

    private void topLevelValue() throws GoCallException {
        List<String> outer = tables.context();
        keyValue();
        tables.context(outer);
        tables.key("");
    }

    /** Reads a key and its value and stores it. Gives the value; the key's last part and its table are then the current ones. */
    private KeyValue keyValue() throws GoCallException {
        List<String> path = keyPath();
        chargePath(tables.context(), path);
        tables.key(path.getLast());
        try {
            for (String part : path.subList(0, path.size() - 1)) {
                tables.enterImplicit(TomlTableBuilder.append(tables.context(), part), false);
            }
        } catch (TableConflictException conflict) {
            throw at(conflict);
        }
        GoValue value = value(false);
        try {
            tables.set(tables.key(), value);
        } catch (TableConflictException conflict) {
            throw at(conflict);
        }
        tables.noteList(tables.key(), value instanceof GoSlice);
        return new KeyValue(path, value);
    }

    private record KeyValue(List<String> path, GoValue value) {}

    private GoValue value(boolean inList) throws GoCallException {
        source.skipBlanks();
        int c = source.next();
        return switch (c) {
            case '"', '\'' -> text(c);
            case '[' -> list();
            case '{' -> inlineTable(inList);
            default -> scalars.parseValue(c);
        };
    }

    private GoValue text(int quote) throws GoCallException {
        String text;
        if (!source.accept(quote)) {
            text = texts.parseSingleLine(quote);
        } else if (source.accept(quote)) {
            text = texts.parseMultiLine(quote);
        } else {
            text = "";
        }
        nesting.charge(text.length());
        return GoString.ofBytes(text);
    }

    private void enter(Object container) throws GoCallException {
        if (!nesting.enter(container)) {
            throw source.error("exceeded max depth of " + nesting.maxDepth());
        }
    }

    private static boolean isGap(int c) {
        return isBlank(c) || isNewLine(c);
    }

    /** Reads up to the next character that is neither blank nor comment. */
    private int nextInList() throws GoCallException {
        while (true) {
            int c = source.next();
            if (c == '#') {
                source.skipComment();
            } else if (!isGap(c)) {
                return c;
            }
        }
    }

    private GoValue list() throws GoCallException {
        tables.noteList(tables.key(), true);
        List<GoValue> items = new ArrayList<>();
        enter(items);
        int c = nextInList();
        while (c != ']') {
            if (c == ',') {
                throw source.error("unexpected comma");
            }
            source.back();
            items.add(value(true));
            c = nextInList();
            if (c == ',') {
                c = nextInList();
            } else if (c == END) {
                throw source.errorAtEnd("expected a comma (',') or array terminator (']'), but got end of file");
            } else if (c != ']') {
                throw source.error(
                        "expected a comma (',') or array terminator (']'), but got " + TomlCharacterReader.inQuotes(c));
            }
        }
        nesting.leave();
        return GoSlice.of(items);
    }

    /**
     * Its entries are stored twice: in the document's tables, where keys that follow may add to them, and in the value, which
     * counts when the table stands in a list.
     */
    private GoValue inlineTable(boolean inList) throws GoCallException {
        Map<GoValue, GoValue> entries = new HashMap<>();
        enter(entries);
        List<String> outer = tables.context();
        String outerKey = tables.key();
        List<String> inner = TomlTableBuilder.append(outer, outerKey);
        tables.context(inner);
        tables.key("");
        try {
            tables.enterImplicit(inner, inList);
        } catch (TableConflictException conflict) {
            throw at(conflict);
        }
        int c = nextInList();
        while (c != '}') {
            if (c == ',') {
                throw source.error("unexpected comma");
            }
            source.back();
            KeyValue entry = keyValue();
            store(entries, entry);
            tables.context(inner);
            c = nextInList();
            if (c == ',') {
                c = nextInList();
            } else if (c == END) {
                throw source.errorAtEnd(
                        "expected a comma or an inline table terminator '}', but got end of file instead");
            } else if (c != '}') {
                throw source.error("expected a comma or an inline table terminator '}', but got "
                        + TomlCharacterReader.inQuotes(c) + " instead");
            }
        }
        tables.context(outer);
        tables.key(outerKey);
        nesting.leave();
        return GoMap.of(entries);
    }

    private void store(Map<GoValue, GoValue> entries, KeyValue entry) throws GoCallException {
        Map<GoValue, GoValue> table = entries;
        for (String part : entry.path().subList(0, entry.path().size() - 1)) {
            GoValue next = table.computeIfAbsent(GoString.ofBytes(part), name -> GoMap.of(new HashMap<>()));
            if (!(next instanceof GoMap map) || map.entries() == null) {
                throw source.error(
                        keyLine, GoQuote.quote(TomlStringWriter.joinKey(tables.context())) + " is not a table");
            }
            table = map.entries();
        }
        table.put(GoString.ofBytes(entry.path().getLast()), entry.value());
    }

    /**
     * The tables of a document while it is read, and the table that keys are put into now.
     *
     * <p>A table that was only named on the way to another one, or by a dotted key, is <em>implicit</em> and may be defined
     * again. That and its side effects follow the Go library: what is set on an implicit table is dropped, unless it is a list.
     */
    static final class TomlTableBuilder {
        /** A key that cannot be used as it is; the reader adds the line. */
        static final class TableConflictException extends Exception {
            private static final long serialVersionUID = 1L;

            TableConflictException(String message) {
                super(message, null, false, false);
            }

            String text() {
                return String.valueOf(getMessage());
            }
        }

        private static final GoType TABLES = GoType.sliceOf(GoType.DICT);

        private final Map<GoValue, GoValue> root = new HashMap<>();
        private final Set<String> implicit = new HashSet<>();
        private final Set<String> lists = new HashSet<>();
        private List<String> context = List.of();
        private String key = "";

        Map<GoValue, GoValue> root() {
            return root;
        }

        /** The table that keys are relative to. */
        List<String> context() {
            return context;
        }

        void context(List<String> table) {
            context = table;
        }

        /** The last part of the key whose value is being read; empty for none. */
        String key() {
            return key;
        }

        void key(String name) {
            key = name;
        }

        /** Table and key, for errors. */
        String lastKey() {
            if (key.isEmpty()) {
                return TomlStringWriter.joinKey(context);
            }
            return context.isEmpty() ? key : TomlStringWriter.joinKey(context) + "." + key;
        }

        static List<String> append(List<String> path, String part) {
            List<String> longer = new ArrayList<>(path.size() + 1);
            longer.addAll(path);
            longer.add(part);
            return longer;
        }

        /** Notes whether the value of a key in the current table is a list. An empty key counts as the table itself, as in Go. */
        void noteList(String name, boolean isList) {
            boolean isTable = name.isEmpty() && !context.isEmpty();
            String path = TomlStringWriter.joinKey(isTable ? context : append(context, name));
            if (isList) {
                lists.add(path);
            } else {
                lists.remove(path);
            }
        }

        /** Makes a dotted key's part, or an inline table, the current table. */
        void enterImplicit(List<String> path, boolean inList) throws TableConflictException {
            implicit.add(TomlStringWriter.joinKey(path));
            enter(path, inList);
        }

        /** Makes the table of a header the current one; with {@code inList} a new element of a list of tables. */
        void enter(List<String> path, boolean inList) throws TableConflictException {
            Map<GoValue, GoValue> table = root;
            List<String> walked = List.of();
            for (String part : path.subList(0, path.size() - 1)) {
                GoValue name = GoString.ofBytes(part);
                walked = append(walked, part);
                if (!table.containsKey(name)) {
                    implicit.add(TomlStringWriter.joinKey(walked));
                    table.put(name, GoMap.of(new HashMap<>()));
                }
                table = tableIn(table.get(name), walked, "was already created as a hash");
            }
            context = walked;
            String last = path.getLast();
            if (inList) {
                addTable(table, path);
            } else {
                set(last, GoMap.of(new HashMap<>()));
            }
            context = append(context, last);
        }

        private static void addTable(Map<GoValue, GoValue> parent, List<String> path) throws TableConflictException {
            GoValue tables = parent.computeIfAbsent(
                    GoString.ofBytes(path.getLast()), name -> new GoSlice(TABLES, new ArrayList<>()));
            if (!(tables instanceof GoSlice slice) || !slice.type().equals(TABLES) || slice.items() == null) {
                throw new TableConflictException("Key '" + TomlStringWriter.joinKey(path)
                        + "' was already created and cannot be used as an array.");
            }
            slice.items().add(GoMap.of(new HashMap<>()));
        }

        /** The table that a value is, or the last one of a list of tables. */
        private static Map<GoValue, GoValue> tableIn(@Nullable GoValue value, List<String> path, String otherwise)
                throws TableConflictException {
            GoValue table = value instanceof GoSlice slice && slice.type().equals(TABLES)
                    ? slice.elements().getLast()
                    : value;
            if (table instanceof GoMap map && map.entries() != null) {
                return map.entries();
            }
            throw new TableConflictException("Key '" + TomlStringWriter.joinKey(path) + "' " + otherwise + ".");
        }

        /** Puts a value into the current table. */
        void set(String name, GoValue value) throws TableConflictException {
            Map<GoValue, GoValue> table = root;
            List<String> walked = List.of();
            for (String part : context) {
                walked = append(walked, part);
                table = tableIn(table.get(GoString.ofBytes(part)), walked, "has already been defined");
            }
            GoString last = GoString.ofBytes(name);
            if (!table.containsKey(last)) {
                table.put(last, value);
                return;
            }
            String path = TomlStringWriter.joinKey(append(context, name));
            if (!implicit.remove(path)) {
                throw new TableConflictException("Key '" + path + "' has already been defined.");
            }
            if (lists.contains(path)) {
                table.put(last, value);
            }
        }
    }
}
