package io.osmhub.core.emit.toml;

import static io.osmhub.core.emit.toml.TomlSource.END;
import static io.osmhub.core.emit.toml.TomlSource.isBlank;
import static io.osmhub.core.emit.toml.TomlSource.isNewLine;

import io.osmhub.core.emit.Decoded;
import io.osmhub.core.emit.Nesting;
import io.osmhub.core.emit.toml.TomlTables.Conflict;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads TOML 1.1 into a {@code map[string]interface {}} as Go's {@code BurntSushi/toml} does, with its error texts. */
public final class TomlDecoder {
    /** A step of the budget copies about this many parts of paths. */
    private static final int PARTS_PER_STEP = 256;

    private final TomlTables tables = new TomlTables();
    private final TomlSource source;
    private final TomlScalars scalars;
    private final TomlText texts;
    private final Nesting nesting;
    /** Line of the key read last, which errors about keys name. */
    private int keyLine;

    private TomlDecoder(String bytes, @Nullable Environment environment) throws CallFailure {
        this.source = new TomlSource(bytes, tables::lastKey);
        this.scalars = new TomlScalars(source);
        this.texts = new TomlText(source);
        this.nesting = new Nesting(environment);
    }

    /** Reads a document; text is bytes as chars. */
    public static MapValue decode(String bytes) throws CallFailure {
        return decode(bytes, null);
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws CallFailure with the Go library's words, which begin with {@code toml: line}
     */
    public static MapValue decode(String bytes, @Nullable Environment environment) throws CallFailure {
        return new TomlDecoder(bytes, environment).document();
    }

    /** Reads a document; beside an error the map is empty. */
    public static Decoded decodeMap(String bytes, @Nullable Environment environment) {
        try {
            return new Decoded(decode(bytes, environment), null);
        } catch (CallFailure failure) {
            return new Decoded(MapValue.of(new HashMap<>()), failure.text());
        }
    }

    private MapValue document() throws CallFailure {
        while (true) {
            int c = source.next();
            if (c == END) {
                return MapValue.of(tables.root());
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

    private void lineEnd() throws CallFailure {
        source.skipBlanks();
        int c = source.next();
        if (c == '#') {
            source.skipComment();
        } else if (c != END && !isNewLine(c)) {
            throw source.error("expected a top-level item to end with a newline, comment, or EOF, but got "
                    + TomlSource.quoted(c) + " instead");
        }
    }

    private CallFailure at(Conflict conflict) {
        return source.error(keyLine, conflict.text());
    }

    private void header() throws CallFailure {
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
                throw source.error(
                        "expected end of table array name delimiter ']', but got " + TomlSource.quoted(c) + " instead");
            }
        }
        try {
            tables.enter(path, inList);
        } catch (Conflict conflict) {
            throw at(conflict);
        }
    }

    /** Reads what follows a key's part; true for a dot, false for {@code end}. */
    private boolean separator(char end, String expected, int linesBack) throws CallFailure {
        int c = source.next();
        if (c == '.' || c == end) {
            return c == '.';
        }
        if (c == END && end == '=') {
            throw source.errorAtEnd("unexpected EOF; expected key separator '='");
        }
        int line = c == '\n' ? source.line() - linesBack : source.line();
        throw source.error(line, expected + TomlSource.quoted(c) + " instead");
    }

    private String keyPart() throws CallFailure {
        int c = source.next();
        String part;
        if (c == '"' || c == '\'') {
            part = texts.singleLine(c);
        } else {
            int start = source.position() - (c == END ? 0 : TomlSource.raw(c).length());
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
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || TomlScalars.isDigit(c) || c == '_' || c == '-';
    }

    /** Reads a key with its dots and the equals sign. */
    private List<String> keyPath() throws CallFailure {
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

    /** Tables are found by walking from the root, and remembered by their whole path, for each part of a key once more. */
    private void chargePath(List<String> context, List<String> path) {
        long depth = (long) context.size() + path.size();
        long chars = depth;
        for (String part : context) {
            chars += part.length();
        }
        for (String part : path) {
            chars += part.length();
        }
        if (depth > Nesting.MAX_DEPTH) {
            throw new LimitExceeded("a key with more than " + Nesting.MAX_DEPTH + " parts");
        }
        nesting.charge(1 + path.size() * depth * depth / PARTS_PER_STEP, path.size() * chars);
    }

    private void topLevelValue() throws CallFailure {
        List<String> outer = tables.context();
        keyValue();
        tables.context(outer);
        tables.key("");
    }

    /** Reads a key and its value and stores it. Gives the value; the key's last part and its table are then the current ones. */
    private KeyValue keyValue() throws CallFailure {
        List<String> path = keyPath();
        chargePath(tables.context(), path);
        tables.key(path.getLast());
        try {
            for (String part : path.subList(0, path.size() - 1)) {
                tables.enterImplicit(TomlTables.append(tables.context(), part), false);
            }
        } catch (Conflict conflict) {
            throw at(conflict);
        }
        Value value = value(false);
        try {
            tables.set(tables.key(), value);
        } catch (Conflict conflict) {
            throw at(conflict);
        }
        tables.noteList(tables.key(), value instanceof Slice);
        return new KeyValue(path, value);
    }

    private record KeyValue(List<String> path, Value value) {}

    private Value value(boolean inList) throws CallFailure {
        source.skipBlanks();
        int c = source.next();
        return switch (c) {
            case '"', '\'' -> text(c);
            case '[' -> list();
            case '{' -> inlineTable(inList);
            default -> scalars.value(c);
        };
    }

    private Value text(int quote) throws CallFailure {
        String text;
        if (!source.accept(quote)) {
            text = texts.singleLine(quote);
        } else if (source.accept(quote)) {
            text = texts.multiLine(quote);
        } else {
            text = "";
        }
        nesting.charge(text.length());
        return Str.ofBytes(text);
    }

    private void enter(Object container) throws CallFailure {
        if (!nesting.enter(container)) {
            throw source.error("exceeded max depth of " + Nesting.MAX_DEPTH);
        }
    }

    private static boolean isGap(int c) {
        return isBlank(c) || isNewLine(c);
    }

    /** Reads up to the next character that is neither blank nor comment. */
    private int nextInList() throws CallFailure {
        while (true) {
            int c = source.next();
            if (c == '#') {
                source.skipComment();
            } else if (!isGap(c)) {
                return c;
            }
        }
    }

    private Value list() throws CallFailure {
        tables.noteList(tables.key(), true);
        List<Value> items = new ArrayList<>();
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
                        "expected a comma (',') or array terminator (']'), but got " + TomlSource.inQuotes(c));
            }
        }
        nesting.leave();
        return Slice.of(items);
    }

    /**
     * Its entries are stored twice: in the document's tables, where keys that follow may add to them, and in the value, which
     * counts when the table stands in a list.
     */
    private Value inlineTable(boolean inList) throws CallFailure {
        Map<Value, Value> entries = new HashMap<>();
        enter(entries);
        List<String> outer = tables.context();
        String outerKey = tables.key();
        List<String> inner = TomlTables.append(outer, outerKey);
        tables.context(inner);
        tables.key("");
        try {
            tables.enterImplicit(inner, inList);
        } catch (Conflict conflict) {
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
                        + TomlSource.inQuotes(c) + " instead");
            }
        }
        tables.context(outer);
        tables.key(outerKey);
        nesting.leave();
        return MapValue.of(entries);
    }

    private void store(Map<Value, Value> entries, KeyValue entry) throws CallFailure {
        Map<Value, Value> table = entries;
        for (String part : entry.path().subList(0, entry.path().size() - 1)) {
            Value next = table.computeIfAbsent(Str.ofBytes(part), name -> MapValue.of(new HashMap<>()));
            if (!(next instanceof MapValue map) || map.entries() == null) {
                throw source.error(keyLine, GoQuote.quote(TomlStrings.dotted(tables.context())) + " is not a table");
            }
            table = map.entries();
        }
        table.put(Str.ofBytes(entry.path().getLast()), entry.value());
    }
}
