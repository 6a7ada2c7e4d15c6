package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoStruct;
import io.osmhub.core.golang.GoValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists and maps. */
final class ListHelpers {
    private ListHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(new HelperDefinition(
                "list",
                "A B ...",
                0,
                HelperDefinition.ANY,
                "A list of its arguments.",
                "{{join \" \" (list 1 2)}}",
                "1 2",
                arguments -> GoSlice.of(List.copyOf(arguments.values()))));
        table.add(new HelperDefinition(
                "dict",
                "KEY VALUE ... or KEY=VALUE ...",
                0,
                HelperDefinition.ANY,
                "A map of keys and values.",
                "{{toJson (dict \"a\" 1 b=2)}}",
                "{\"a\":1,\"b\":2}",
                ListHelpers::dict));
        table.add(new HelperDefinition(
                "get",
                "MAP KEY FALLBACK",
                2,
                3,
                "The value of a map's key or a structure's field, else the fallback, else nothing.",
                "{{get (dict \"a\" 1) \"b\" \"none\"}}",
                "none",
                ListHelpers::get));
        table.add(new HelperDefinition(
                "hasKey",
                "MAP KEY",
                2,
                2,
                "Whether a map has a key.",
                "{{hasKey (dict \"a\" 1) \"a\"}}",
                "true",
                arguments -> GoBool.of(arguments.map(0).containsKey(GoString.ofBytes(arguments.text(1))))));
        table.add(new HelperDefinition(
                "index",
                "LIST N",
                2,
                2,
                "The element at a position, counted from 0; nothing beyond the end.",
                "{{index (list \"a\" \"b\") 1}}",
                "b",
                arguments -> at(arguments.list(0), arguments.number(1))));
        table.add(new HelperDefinition(
                "first",
                "LIST",
                1,
                1,
                "The first element of a list; nothing if it is empty.",
                "{{first (list \"a\" \"b\")}}",
                "a",
                arguments -> at(arguments.list(0), 0)));
        table.add(new HelperDefinition(
                "last",
                "LIST",
                1,
                1,
                "The last element of a list; nothing if it is empty.",
                "{{last (list \"a\" \"b\")}}",
                "b",
                arguments -> at(arguments.list(0), arguments.list(0).size() - 1)));
        table.add(new HelperDefinition(
                "len",
                "VALUE",
                1,
                1,
                "How many elements a list or map has, or bytes a text; 0 for nothing.",
                "{{len (list 1 2)}}",
                "2",
                ListHelpers::length));
        table.add(new HelperDefinition(
                "has",
                "ITEM LIST",
                2,
                2,
                "Whether a list has an element with the text of ITEM.",
                "{{has \"b\" (list \"a\" \"b\")}}",
                "true",
                ListHelpers::has));
    }

    private static GoValue dict(HelperArguments arguments) throws GoCallException {
        if (arguments.count() % 2 != 0) {
            throw new GoCallException("the last key has no value");
        }
        Map<GoValue, GoValue> entries = new HashMap<>();
        for (int i = 0; i < arguments.count(); i += 2) {
            entries.put(GoString.ofBytes(arguments.text(i)), arguments.value(i + 1));
        }
        arguments.named().forEach((key, value) -> entries.put(GoString.of(key), value));
        return GoMap.of(entries);
    }

    private static GoValue get(HelperArguments arguments) throws GoCallException {
        String key = arguments.text(1);
        GoValue found = GoNil.ANY;
        if (arguments.value(0) instanceof GoStruct struct) {
            int index = struct.type().fieldIndex(key);
            found = index < 0 ? GoNil.ANY : HandlebarsValues.dereference(struct.field(index));
        } else {
            found = HandlebarsValues.dereference(arguments.map(0).getOrDefault(GoString.ofBytes(key), GoNil.ANY));
        }
        return found instanceof GoNil && arguments.count() == 3 ? arguments.value(2) : found;
    }

    private static GoValue at(List<GoValue> list, long index) {
        return index < 0 || index >= list.size() ? GoNil.ANY : list.get((int) index);
    }

    private static GoValue length(HelperArguments arguments) throws GoCallException {
        return switch (arguments.value(0)) {
            case GoSlice slice -> GoInt.of(slice.length());
            case GoMap map -> GoInt.of(map.length());
            case GoString text -> GoInt.of(text.bytes().length());
            case GoNil nil -> GoInt.of(0);
            case GoValue other -> throw arguments.typeMismatch(0, "a list, a map or a text", other);
        };
    }

    private static GoValue has(HelperArguments arguments) throws GoCallException {
        String wanted = arguments.text(0);
        for (GoValue element : arguments.list(1)) {
            if (HandlebarsValues.text(element, arguments.environment()).equals(wanted)) {
                return GoBool.TRUE;
            }
        }
        return GoBool.FALSE;
    }
}
