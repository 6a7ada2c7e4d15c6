package io.osmhub.core.template.sprig;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.wellknown.WellKnown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Copies a value so that the copy shares no map or list with it. */
final class DeepCopy {
    /** What becomes of an error: its text is in a field that a copy by reflection does not see. */
    private static final Value NO_MESSAGE = Struct.of(WellKnown.ERROR_STRING, List.of(Str.EMPTY));

    private final Nesting nesting;

    private DeepCopy(Nesting nesting) {
        this.nesting = nesting;
    }

    static Value of(Environment environment, Value value) throws CallFailure {
        if (value instanceof Nil || value instanceof Absent) {
            throw new CallFailure("reflect: call of reflect.Value.Type on zero Value");
        }
        return new DeepCopy(new Nesting(environment)).copy(value);
    }

    private Value copy(Value value) {
        nesting.charge(Arguments.SLOT_BYTES);
        return switch (value) {
            case Nil nil -> nil;
            case Absent absent -> absent;
            case Bool bool -> bool;
            case Int number -> number;
            case Flt number -> number;
            case Complex number -> number;
            case Str text -> text;
            case Func function -> function;
            case Opaque opaque -> Versions.withoutHiddenFields(opaque);
            case Slice list -> list.items() == null ? list : new Slice(list.type(), items(list.items()));
            case MapValue map -> map.entries() == null ? map : new MapValue(map.type(), entries(map.entries()));
            case Pointer pointer -> pointer.target() == null ? pointer : target(pointer, pointer.target());
            case Struct error when error.type().equals(WellKnown.ERROR_STRING) -> NO_MESSAGE;
            case Struct struct -> fields(struct);
        };
    }

    private List<Value> items(List<Value> items) {
        enter(items);
        List<Value> copies = new ArrayList<>(items.size());
        for (Value item : items) {
            copies.add(copy(item));
        }
        nesting.leave();
        return copies;
    }

    private Map<Value, Value> entries(Map<Value, Value> entries) {
        enter(entries);
        Map<Value, Value> copies = HashMap.newHashMap(entries.size());
        for (Map.Entry<Value, Value> entry : entries.entrySet()) {
            copies.put(entry.getKey(), copy(entry.getValue()));
        }
        nesting.leave();
        return copies;
    }

    private Value target(Pointer pointer, Value target) {
        enter(pointer);
        Pointer copy = new Pointer(pointer.type(), copy(target));
        nesting.leave();
        return copy;
    }

    private Value fields(Struct struct) {
        enter(struct);
        List<Value> copies = new ArrayList<>();
        for (int i = 0; i < struct.type().fields().size(); i++) {
            copies.add(copy(struct.field(i)));
        }
        nesting.leave();
        return Struct.of(struct.type(), copies);
    }

    private void enter(Object container) {
        if (!nesting.enter(container)) {
            throw nesting.tooDeep();
        }
    }
}
