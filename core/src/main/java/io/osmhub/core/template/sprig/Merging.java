package io.osmhub.core.template.sprig;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges maps into the first one, which is changed: maps within maps are merged in turn, everything else is taken over where
 * nothing but an empty value is, or with {@code overwrite} in any case. The rules are those of the Go library mergo 1.0.
 */
final class Merging {
    private static final String SIGNATURE = "func(map[string]interface {}, ...map[string]interface {}) interface {}";

    /** A disagreement of types that is reported as an error; others end the call even where errors are forgotten. */
    private static final String DIFFERENT_TYPES = "src and dst must be of same type";

    private final Environment environment;
    private final boolean overwrite;
    private final Nesting nesting;

    private Merging(Environment environment, boolean overwrite) {
        this.environment = environment;
        this.overwrite = overwrite;
        this.nesting = new Nesting(environment);
    }

    static void addTo(Registry registry) {
        add(registry, "merge", false, false);
        add(registry, "mergeOverwrite", true, false);
        add(registry, "mustMerge", false, true);
        add(registry, "mustMergeOverwrite", true, true);
    }

    private static void add(Registry registry, String name, boolean overwrite, boolean must) {
        registry.add(name, SIGNATURE, (environment, arguments) -> {
            MapValue into = (MapValue) arguments.getFirst();
            try {
                for (Value from : Arguments.rest(arguments, 1)) {
                    boolean isNew = into.isNil() && !((MapValue) from).isNil();
                    into = isNew ? MapValue.of(new HashMap<>()) : into;
                    new Merging(environment, overwrite).merge(into, (MapValue) from);
                }
            } catch (CallFailure failure) {
                if (!must && failure.text().equals(DIFFERENT_TYPES)) {
                    return Str.EMPTY;
                }
                throw failure;
            }
            return into;
        });
    }

    private void merge(MapValue into, MapValue from) throws CallFailure {
        Map<Value, Value> target = into.entries();
        if (target == null || from.length() == 0) {
            return;
        }
        if (!nesting.enter(target)) {
            throw nesting.tooDeep();
        }
        Arguments.chargeSlots(environment, 2L * from.length());
        checkKeys(into.type().key(), from.type().key());
        // A copy, because both maps may be the same one or share inner maps.
        for (Map.Entry<Value, Value> entry : new ArrayList<>(from.elements().entrySet())) {
            mergeEntry(
                    into.type(),
                    target,
                    entry.getKey(),
                    entry.getValue(),
                    from.type().elem());
        }
        nesting.leave();
    }

    private void mergeEntry(Type type, Map<Value, Value> target, Value key, Value wanted, Type declared)
            throws CallFailure {
        if (wanted instanceof Nil) {
            if (overwrite) {
                put(type, target, key, wanted, declared);
            }
            return;
        }
        @Nullable Value present = target.get(key);
        if (present != null && !(present instanceof Nil)) {
            mergeInner(present, wanted);
            if (present.kind() == Kind.MAP && wanted.kind() == Kind.MAP && !isEmpty(present)) {
                return;
            }
        }
        if (overwrite || present == null || isEmpty(present)) {
            put(type, target, key, wanted, declared);
        }
    }

    private static void put(Type type, Map<Value, Value> target, Value key, Value value, Type declared)
            throws CallFailure {
        Type elem = type.elem();
        if (!elem.isInterface() && !elem.equals(declared)) {
            throw new CallFailure(
                    "reflect.Value.SetMapIndex: value of type " + declared + " is not assignable to type " + elem);
        }
        target.put(key, value);
    }

    private static void checkKeys(Type into, Type from) throws CallFailure {
        if (!into.isInterface() && !into.equals(from)) {
            throw new CallFailure(
                    "reflect.Value.MapIndex: value of type " + from + " is not assignable to type " + into);
        }
    }

    /** Merges what is inside of both; values without an inside are left to the caller. */
    private void mergeInner(Value present, Value wanted) throws CallFailure {
        boolean hasInside =
                switch (wanted.kind()) {
                    case MAP, POINTER, STRUCT -> true;
                    default -> false;
                };
        if (!hasInside) {
            return;
        }
        if (present instanceof MapValue into) {
            if (into.isNil() && wanted.kind() == Kind.STRUCT) {
                throw new CallFailure("reflect: call of reflect.Value.IsNil on struct Value");
            }
            if (wanted instanceof MapValue from) {
                merge(into, from);
            }
        } else if (present instanceof Struct && !(wanted.kind() == Kind.STRUCT)) {
            throw new CallFailure(
                    "reflect: call of reflect.Value.Field on " + wanted.kind().goName() + " Value");
        } else if (present instanceof Pointer into && into.target() != null) {
            mergeTarget(into.target(), wanted);
        }
    }

    private void mergeTarget(Value target, Value wanted) throws CallFailure {
        if (wanted instanceof Pointer from) {
            boolean assigned = overwrite && from.target() != null && !isEmpty(from.target());
            if (from.target() instanceof MapValue source && target instanceof MapValue into) {
                merge(into, source);
            } else if (assigned && !target.type().equals(wanted.type().elem())) {
                throw new CallFailure("reflect.Set: value of type "
                        + wanted.type().elem() + " is not assignable to type " + target.type());
            }
            return;
        }
        if (wanted instanceof MapValue from && from.isNil() || overwrite) {
            return;
        }
        if (!target.type().equals(wanted.type())) {
            throw new CallFailure(DIFFERENT_TYPES);
        }
        mergeInner(target, wanted);
    }

    /** As {@link Defaults#isEmpty}, but pointers are followed. */
    private static boolean isEmpty(Value value) {
        Value target = value;
        for (int i = 0; target instanceof Pointer pointer && pointer.target() != null && i < 100; i++) {
            target = pointer.target();
        }
        return Defaults.isEmpty(target);
    }
}
