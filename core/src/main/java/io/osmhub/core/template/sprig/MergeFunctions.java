package io.osmhub.core.template.sprig;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges maps into the first one, which is modified: nested maps are merged recursively, other values are copied where the target
 * is empty, or always with {@code overwrite}. The rules are those of the Go library mergo 1.0.
 */
final class MergeFunctions {
    private static final String SIGNATURE = "func(map[string]interface {}, ...map[string]interface {}) interface {}";

    /** A type conflict that is returned as an error; others end the call even where errors are ignored. */
    private static final String DIFFERENT_TYPES = "src and dst must be of same type";

    private final ExecutionEnvironment environment;
    private final boolean overwrite;
    private final NestingTracker nesting;

    private MergeFunctions(ExecutionEnvironment environment, boolean overwrite) {
        this.environment = environment;
        this.overwrite = overwrite;
        this.nesting = new NestingTracker(environment);
    }

    static void addTo(FunctionRegistry registry) {
        add(registry, "merge", false, false);
        add(registry, "mergeOverwrite", true, false);
        add(registry, "mustMerge", false, true);
        add(registry, "mustMergeOverwrite", true, true);
    }

    private static void add(FunctionRegistry registry, String name, boolean overwrite, boolean must) {
        registry.add(name, SIGNATURE, (environment, arguments) -> {
            GoMap into = (GoMap) arguments.getFirst();
            try {
                for (GoValue from : SprigArguments.rest(arguments, 1)) {
                    boolean isNew = into.isNil() && !((GoMap) from).isNil();
                    into = isNew ? GoMap.of(new HashMap<>()) : into;
                    new MergeFunctions(environment, overwrite).merge(into, (GoMap) from);
                }
            } catch (GoCallException failure) {
                if (!must && failure.text().equals(DIFFERENT_TYPES)) {
                    return GoString.EMPTY;
                }
                throw failure;
            }
            return into;
        });
    }

    private void merge(GoMap into, GoMap from) throws GoCallException {
        Map<GoValue, GoValue> target = into.entries();
        if (target == null || from.length() == 0) {
            return;
        }
        if (!nesting.enter(target)) {
            throw nesting.newLimitException();
        }
        SprigArguments.chargeSlots(environment, 2L * from.length());
        checkKeys(into.type().key(), from.type().key());
        // A copy, because both maps may be the same one or share inner maps.
        for (Map.Entry<GoValue, GoValue> entry : new ArrayList<>(from.elements().entrySet())) {
            mergeEntry(
                    into.type(),
                    target,
                    entry.getKey(),
                    entry.getValue(),
                    from.type().elem());
        }
        nesting.leave();
    }

    private void mergeEntry(GoType type, Map<GoValue, GoValue> target, GoValue key, GoValue wanted, GoType declared)
            throws GoCallException {
        if (wanted instanceof GoNil) {
            if (overwrite) {
                put(type, target, key, wanted, declared);
            }
            return;
        }
        @Nullable GoValue present = target.get(key);
        if (present != null && !(present instanceof GoNil)) {
            mergeInner(present, wanted);
            if (present.kind() == GoKind.MAP && wanted.kind() == GoKind.MAP && !isEmpty(present)) {
                return;
            }
        }
        if (overwrite || present == null || isEmpty(present)) {
            put(type, target, key, wanted, declared);
        }
    }

    private static void put(GoType type, Map<GoValue, GoValue> target, GoValue key, GoValue value, GoType declared)
            throws GoCallException {
        GoType elem = type.elem();
        if (!elem.isInterface() && !elem.equals(declared)) {
            throw new GoCallException(
                    "reflect.Value.SetMapIndex: value of type " + declared + " is not assignable to type " + elem);
        }
        target.put(key, value);
    }

    private static void checkKeys(GoType into, GoType from) throws GoCallException {
        if (!into.isInterface() && !into.equals(from)) {
            throw new GoCallException(
                    "reflect.Value.MapIndex: value of type " + from + " is not assignable to type " + into);
        }
    }

    /** Merges the contents of both; other values are left to the caller. */
    private void mergeInner(GoValue present, GoValue wanted) throws GoCallException {
        boolean hasInside =
                switch (wanted.kind()) {
                    case MAP, POINTER, STRUCT -> true;
                    default -> false;
                };
        if (!hasInside) {
            return;
        }
        if (present instanceof GoMap into) {
            if (into.isNil() && wanted.kind() == GoKind.STRUCT) {
                throw new GoCallException("reflect: call of reflect.Value.IsNil on struct Value");
            }
            if (wanted instanceof GoMap from) {
                merge(into, from);
            }
        } else if (present instanceof GoStruct && !(wanted.kind() == GoKind.STRUCT)) {
            throw new GoCallException(
                    "reflect: call of reflect.Value.Field on " + wanted.kind().goName() + " Value");
        } else if (present instanceof GoPointer into && into.target() != null) {
            mergeTarget(into.target(), wanted);
        }
    }

    private void mergeTarget(GoValue target, GoValue wanted) throws GoCallException {
        if (wanted instanceof GoPointer from) {
            boolean assigned = overwrite && from.target() != null && !isEmpty(from.target());
            if (from.target() instanceof GoMap source && target instanceof GoMap into) {
                merge(into, source);
            } else if (assigned && !target.type().equals(wanted.type().elem())) {
                throw new GoCallException("reflect.Set: value of type "
                        + wanted.type().elem() + " is not assignable to type " + target.type());
            }
            return;
        }
        if (wanted instanceof GoMap from && from.isNil() || overwrite) {
            return;
        }
        if (!target.type().equals(wanted.type())) {
            throw new GoCallException(DIFFERENT_TYPES);
        }
        mergeInner(target, wanted);
    }

    /** As {@link DefaultFunctions#isEmpty}, but follows pointers. */
    private static boolean isEmpty(GoValue value) {
        GoValue target = value;
        for (int i = 0; target instanceof GoPointer pointer && pointer.target() != null && i < 100; i++) {
            target = pointer.target();
        }
        return DefaultFunctions.isEmpty(target);
    }
}
