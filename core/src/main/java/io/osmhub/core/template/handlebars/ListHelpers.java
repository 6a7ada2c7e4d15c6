package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists and maps. */
final class ListHelpers {
    private ListHelpers() {}

    static void addTo(HandlebarsHelpers helpers) {
        helpers.add("list", 0, HandlebarsHelpers.ANY, arguments -> GoSlice.of(List.copyOf(arguments.values())));
        helpers.add("dict", 0, HandlebarsHelpers.ANY, ListHelpers::dict);
        helpers.add("get", 2, 3, ListHelpers::get);
        helpers.add(
                "hasKey", 2, arguments -> GoBool.of(arguments.map(0).containsKey(GoString.ofBytes(arguments.text(1)))));
        helpers.add("index", 2, arguments -> at(arguments.list(0), arguments.number(1)));
        helpers.add("first", 1, arguments -> at(arguments.list(0), 0));
        helpers.add(
                "last", 1, arguments -> at(arguments.list(0), arguments.list(0).size() - 1));
        helpers.add("len", 1, ListHelpers::length);
        helpers.add("has", 2, ListHelpers::has);
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
