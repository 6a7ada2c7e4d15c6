package io.osmhub.core.emit.toml;

import io.osmhub.core.emit.toml.TomlEncoder.TomlStringWriter;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
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
final class TomlTableBuilder {
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
            throw new TableConflictException(
                    "Key '" + TomlStringWriter.joinKey(path) + "' was already created and cannot be used as an array.");
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
