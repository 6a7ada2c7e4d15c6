package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists and maps. */
final class ListHelpers {
    private ListHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(new Helper(
                "list",
                "A B ...",
                0,
                Helper.ANY,
                "A list of its arguments.",
                "{{join \" \" (list 1 2)}}",
                "1 2",
                arguments -> Slice.of(List.copyOf(arguments.values()))));
        table.add(new Helper(
                "dict",
                "KEY VALUE ... or KEY=VALUE ...",
                0,
                Helper.ANY,
                "A map of keys and values.",
                "{{toJson (dict \"a\" 1 b=2)}}",
                "{\"a\":1,\"b\":2}",
                ListHelpers::dict));
        table.add(new Helper(
                "get",
                "MAP KEY FALLBACK",
                2,
                3,
                "The value of a map's key or a structure's field, else the fallback, else nothing.",
                "{{get (dict \"a\" 1) \"b\" \"none\"}}",
                "none",
                ListHelpers::get));
        table.add(new Helper(
                "hasKey",
                "MAP KEY",
                2,
                2,
                "Whether a map has a key.",
                "{{hasKey (dict \"a\" 1) \"a\"}}",
                "true",
                arguments -> Bool.of(arguments.map(0).containsKey(Str.ofBytes(arguments.text(1))))));
        table.add(new Helper(
                "index",
                "LIST N",
                2,
                2,
                "The element at a position, counted from 0; nothing beyond the end.",
                "{{index (list \"a\" \"b\") 1}}",
                "b",
                arguments -> at(arguments.list(0), arguments.number(1))));
        table.add(new Helper(
                "first",
                "LIST",
                1,
                1,
                "The first element of a list; nothing if it is empty.",
                "{{first (list \"a\" \"b\")}}",
                "a",
                arguments -> at(arguments.list(0), 0)));
        table.add(new Helper(
                "last",
                "LIST",
                1,
                1,
                "The last element of a list; nothing if it is empty.",
                "{{last (list \"a\" \"b\")}}",
                "b",
                arguments -> at(arguments.list(0), arguments.list(0).size() - 1)));
        table.add(new Helper(
                "len",
                "VALUE",
                1,
                1,
                "How many elements a list or map has, or bytes a text; 0 for nothing.",
                "{{len (list 1 2)}}",
                "2",
                ListHelpers::length));
        table.add(new Helper(
                "has",
                "ITEM LIST",
                2,
                2,
                "Whether a list has an element with the text of ITEM.",
                "{{has \"b\" (list \"a\" \"b\")}}",
                "true",
                ListHelpers::has));
    }

    private static Value dict(Arguments arguments) throws CallFailure {
        if (arguments.count() % 2 != 0) {
            throw new CallFailure("the last key has no value");
        }
        Map<Value, Value> entries = new HashMap<>();
        for (int i = 0; i < arguments.count(); i += 2) {
            entries.put(Str.ofBytes(arguments.text(i)), arguments.value(i + 1));
        }
        arguments.named().forEach((key, value) -> entries.put(Str.of(key), value));
        return MapValue.of(entries);
    }

    private static Value get(Arguments arguments) throws CallFailure {
        String key = arguments.text(1);
        Value found = Nil.ANY;
        if (arguments.value(0) instanceof Struct struct) {
            int index = struct.type().fieldIndex(key);
            found = index < 0 ? Nil.ANY : Values.follow(struct.field(index));
        } else {
            found = Values.follow(arguments.map(0).getOrDefault(Str.ofBytes(key), Nil.ANY));
        }
        return found instanceof Nil && arguments.count() == 3 ? arguments.value(2) : found;
    }

    private static Value at(List<Value> list, long index) {
        return index < 0 || index >= list.size() ? Nil.ANY : list.get((int) index);
    }

    private static Value length(Arguments arguments) throws CallFailure {
        return switch (arguments.value(0)) {
            case Slice slice -> Int.of(slice.length());
            case MapValue map -> Int.of(map.length());
            case Str text -> Int.of(text.bytes().length());
            case Nil nil -> Int.of(0);
            case Value other -> throw arguments.wrong(0, "a list, a map or a text", other);
        };
    }

    private static Value has(Arguments arguments) throws CallFailure {
        String wanted = arguments.text(0);
        for (Value element : arguments.list(1)) {
            if (Values.text(element, arguments.environment()).equals(wanted)) {
                return Bool.TRUE;
            }
        }
        return Bool.FALSE;
    }
}
