package io.osmhub.core.emit.toml;

import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a document while it is read, and the table that keys are put into now.
 *
 * <p>A table that was only named on the way to another one, or by a dotted key, is <em>implicit</em> and may be defined once
 * more. That and its side effects follow the Go library: what is set on an implicit table is dropped, unless it is a list.
 */
final class TomlTables {
    /** A key that cannot be used as it is; the reader adds the line. */
    static final class Conflict extends Exception {
        private static final long serialVersionUID = 1L;

        Conflict(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    private static final Type TABLES = Type.sliceOf(Type.DICT);

    private final Map<Value, Value> root = new HashMap<>();
    private final Set<String> implicit = new HashSet<>();
    private final Set<String> lists = new HashSet<>();
    private List<String> context = List.of();
    private String key = "";

    Map<Value, Value> root() {
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
            return TomlStrings.dotted(context);
        }
        return context.isEmpty() ? key : TomlStrings.dotted(context) + "." + key;
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
        String path = TomlStrings.dotted(isTable ? context : append(context, name));
        if (isList) {
            lists.add(path);
        } else {
            lists.remove(path);
        }
    }

    /** Makes a dotted key's part, or an inline table, the current table. */
    void enterImplicit(List<String> path, boolean inList) throws Conflict {
        implicit.add(TomlStrings.dotted(path));
        enter(path, inList);
    }

    /** Makes the table of a header the current one; with {@code inList} a new element of a list of tables. */
    void enter(List<String> path, boolean inList) throws Conflict {
        Map<Value, Value> table = root;
        List<String> walked = List.of();
        for (String part : path.subList(0, path.size() - 1)) {
            Value name = Str.ofBytes(part);
            walked = append(walked, part);
            if (!table.containsKey(name)) {
                implicit.add(TomlStrings.dotted(walked));
                table.put(name, MapValue.of(new HashMap<>()));
            }
            table = tableIn(table.get(name), walked, "was already created as a hash");
        }
        context = walked;
        String last = path.getLast();
        if (inList) {
            addTable(table, path);
        } else {
            set(last, MapValue.of(new HashMap<>()));
        }
        context = append(context, last);
    }

    private static void addTable(Map<Value, Value> parent, List<String> path) throws Conflict {
        Value tables =
                parent.computeIfAbsent(Str.ofBytes(path.getLast()), name -> new Slice(TABLES, new ArrayList<>()));
        if (!(tables instanceof Slice slice) || !slice.type().equals(TABLES) || slice.items() == null) {
            throw new Conflict(
                    "Key '" + TomlStrings.dotted(path) + "' was already created and cannot be used as an array.");
        }
        slice.items().add(MapValue.of(new HashMap<>()));
    }

    /** The table that a value is, or the last one of a list of tables. */
    private static Map<Value, Value> tableIn(@Nullable Value value, List<String> path, String otherwise)
            throws Conflict {
        Value table = value instanceof Slice slice && slice.type().equals(TABLES)
                ? slice.elements().getLast()
                : value;
        if (table instanceof MapValue map && map.entries() != null) {
            return map.entries();
        }
        throw new Conflict("Key '" + TomlStrings.dotted(path) + "' " + otherwise + ".");
    }

    /** Puts a value into the current table. */
    void set(String name, Value value) throws Conflict {
        Map<Value, Value> table = root;
        List<String> walked = List.of();
        for (String part : context) {
            walked = append(walked, part);
            table = tableIn(table.get(Str.ofBytes(part)), walked, "has already been defined");
        }
        Str last = Str.ofBytes(name);
        if (!table.containsKey(last)) {
            table.put(last, value);
            return;
        }
        String path = TomlStrings.dotted(append(context, name));
        if (!implicit.remove(path)) {
            throw new Conflict("Key '" + path + "' has already been defined.");
        }
        if (lists.contains(path)) {
            table.put(last, value);
        }
    }
}
