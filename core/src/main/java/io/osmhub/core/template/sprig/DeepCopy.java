package io.osmhub.core.template.sprig;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoComplex;
import io.osmhub.core.golang.GoFloat;
import io.osmhub.core.golang.GoFunction;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoNoValue;
import io.osmhub.core.golang.GoOpaque;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoStruct;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Deep copies of values, which share no map or list. */
final class DeepCopy {
    /** The copy of an error: its message is in a field that a copy by reflection omits. */
    private static final GoValue NO_MESSAGE = GoStruct.of(WellKnownTypes.ERROR_STRING, List.of(GoString.EMPTY));

    private final NestingTracker nesting;

    private DeepCopy(NestingTracker nesting) {
        this.nesting = nesting;
    }

    static GoValue copy(ExecutionEnvironment environment, GoValue value) throws GoCallException {
        if (value instanceof GoNil || value instanceof GoNoValue) {
            throw new GoCallException("reflect: call of reflect.Value.Type on zero Value");
        }
        return new DeepCopy(new NestingTracker(environment)).copy(value);
    }

    private GoValue copy(GoValue value) {
        nesting.charge(SprigArguments.SLOT_BYTES);
        return switch (value) {
            case GoNil nil -> nil;
            case GoNoValue absent -> absent;
            case GoBool bool -> bool;
            case GoInt number -> number;
            case GoFloat number -> number;
            case GoComplex number -> number;
            case GoString text -> text;
            case GoFunction function -> function;
            case GoOpaque opaque -> SemverFunctions.withoutHiddenFields(opaque);
            case GoSlice list -> list.items() == null ? list : new GoSlice(list.type(), items(list.items()));
            case GoMap map -> map.entries() == null ? map : new GoMap(map.type(), entries(map.entries()));
            case GoPointer pointer -> pointer.target() == null ? pointer : target(pointer, pointer.target());
            case GoStruct error when error.type().equals(WellKnownTypes.ERROR_STRING) -> NO_MESSAGE;
            case GoStruct struct -> fields(struct);
        };
    }

    private List<GoValue> items(List<GoValue> items) {
        enter(items);
        List<GoValue> copies = new ArrayList<>(items.size());
        for (GoValue item : items) {
            copies.add(copy(item));
        }
        nesting.leave();
        return copies;
    }

    private Map<GoValue, GoValue> entries(Map<GoValue, GoValue> entries) {
        enter(entries);
        Map<GoValue, GoValue> copies = HashMap.newHashMap(entries.size());
        for (Map.Entry<GoValue, GoValue> entry : entries.entrySet()) {
            copies.put(entry.getKey(), copy(entry.getValue()));
        }
        nesting.leave();
        return copies;
    }

    private GoValue target(GoPointer pointer, GoValue target) {
        enter(pointer);
        GoPointer copy = new GoPointer(pointer.type(), copy(target));
        nesting.leave();
        return copy;
    }

    private GoValue fields(GoStruct struct) {
        enter(struct);
        List<GoValue> copies = new ArrayList<>();
        for (int i = 0; i < struct.type().fields().size(); i++) {
            copies.add(copy(struct.field(i)));
        }
        nesting.leave();
        return GoStruct.of(struct.type(), copies);
    }

    private void enter(Object container) {
        if (!nesting.enter(container)) {
            throw nesting.newLimitException();
        }
    }
}
