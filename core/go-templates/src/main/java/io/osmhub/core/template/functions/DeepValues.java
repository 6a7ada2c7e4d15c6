package io.osmhub.core.template.functions;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Compares and copies values with all that they hold; ends at the budget for values that hold themselves. */
final class DeepValues {
    private static final int COMPARED_PER_STEP = 256;

    private final NestingTracker nesting;

    private DeepValues(ExecutionEnvironment environment) {
        this.nesting = new NestingTracker(environment);
    }

    /** Go's {@code reflect.DeepEqual}: equal types at every level, and nil differs from empty. */
    static boolean areEqual(ExecutionEnvironment environment, GoValue left, GoValue right) {
        return new DeepValues(environment).areEqual(left, right);
    }

    /** A copy that shares no map and list with the value. */
    static GoValue copy(ExecutionEnvironment environment, GoValue value) {
        return new DeepValues(environment).copy(value);
    }

    private <T> T inside(Object container, Supplier<T> work) {
        nesting.enter(container);
        T result = work.get();
        nesting.leave();
        return result;
    }

    @SuppressWarnings("ReferenceEquality") // what both share need not be compared, as in Go
    private boolean areEqual(GoValue left, GoValue right) {
        nesting.charge(0);
        if (!left.type().equals(right.type())) {
            return false;
        }
        return switch (left) {
            case GoFloat number -> right instanceof GoFloat other && number.value() == other.value();
            case GoString text -> {
                nesting.charge(text.bytes().length() / COMPARED_PER_STEP, 0L);
                yield text.equals(right);
            }
            case GoFunction function ->
                right instanceof GoFunction other && function.code() == null && other.code() == null;
            case GoSlice list ->
                right instanceof GoSlice other
                        && list.isNil() == other.isNil()
                        && list.length() == other.length()
                        && (list.items() == other.items()
                                || inside(list.elements(), () -> areEqual(list.elements(), other.elements())));
            case GoMap map ->
                right instanceof GoMap other
                        && map.isNil() == other.isNil()
                        && map.length() == other.length()
                        && (map.entries() == other.entries()
                                || inside(map.elements(), () -> areEqual(map.elements(), other.elements())));
            case GoPointer pointer -> right instanceof GoPointer other && targetsAreEqual(pointer, other);
            case GoStruct struct ->
                right instanceof GoStruct other && inside(struct, () -> areEqual(fields(struct), fields(other)));
            default -> left.equals(right);
        };
    }

    private boolean areEqual(List<GoValue> left, List<GoValue> right) {
        for (int i = 0; i < left.size(); i++) {
            if (!areEqual(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean areEqual(Map<GoValue, GoValue> left, Map<GoValue, GoValue> right) {
        for (Map.Entry<GoValue, GoValue> entry : left.entrySet()) {
            GoValue other = right.get(entry.getKey());
            if (other == null || !areEqual(entry.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private boolean targetsAreEqual(GoPointer left, GoPointer right) {
        GoValue one = left.target();
        GoValue other = right.target();
        return one == other || one != null && other != null && inside(left, () -> areEqual(one, other));
    }

    private static List<GoValue> fields(GoStruct struct) {
        List<GoValue> values = new ArrayList<>();
        for (int i = 0; i < struct.type().fields().size(); i++) {
            values.add(struct.field(i));
        }
        return values;
    }

    private GoValue copy(GoValue value) {
        nesting.charge(FunctionCall.SLOT_BYTES);
        return switch (value) {
            case GoSlice list ->
                list.isNil() ? list : new GoSlice(list.type(), inside(list.elements(), () -> copies(list.elements())));
            case GoMap map ->
                map.isNil() ? map : new GoMap(map.type(), inside(map.elements(), () -> copies(map.elements())));
            case GoPointer pointer -> {
                GoValue target = pointer.target();
                yield target == null ? pointer : new GoPointer(pointer.type(), inside(pointer, () -> copy(target)));
            }
            case GoStruct struct -> GoStruct.of(struct.type(), inside(struct, () -> copiedFields(struct)));
            default -> value;
        };
    }

    /** A copy by reflection leaves fields that are not exported at zero. */
    private List<GoValue> copiedFields(GoStruct struct) {
        List<GoValue> copies = copies(fields(struct));
        for (int i = 0; i < copies.size(); i++) {
            GoType.Field field = struct.type().fields().get(i);
            if (!Character.isUpperCase(field.name().charAt(0))) {
                copies.set(i, field.type().kind() == GoKind.STRING ? GoString.EMPTY : new GoInt(field.type(), 0));
            }
        }
        return copies;
    }

    private List<GoValue> copies(List<GoValue> values) {
        List<GoValue> copies = new ArrayList<>(values.size());
        values.forEach(value -> copies.add(copy(value)));
        return copies;
    }

    private Map<GoValue, GoValue> copies(Map<GoValue, GoValue> values) {
        Map<GoValue, GoValue> copies = HashMap.newHashMap(values.size());
        values.forEach((key, value) -> copies.put(key, copy(value)));
        return copies;
    }
}
