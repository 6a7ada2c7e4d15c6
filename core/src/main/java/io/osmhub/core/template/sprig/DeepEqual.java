package io.osmhub.core.template.sprig;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.List;
import java.util.Map;

/** Go's {@code reflect.DeepEqual}: equal types at every level, and nil differs from empty. */
final class DeepEqual {
    private final NestingTracker nesting;

    private DeepEqual(NestingTracker nesting) {
        this.nesting = nesting;
    }

    static boolean isDeepEqual(ExecutionEnvironment environment, GoValue left, GoValue right) {
        return new DeepEqual(new NestingTracker(environment)).equal(left, right);
    }

    private boolean equal(GoValue left, GoValue right) {
        nesting.charge(0);
        if (!left.type().equals(right.type())) {
            return false;
        }
        return switch (left) {
            case GoNil nil -> right instanceof GoNil;
            case GoNoValue absent -> right instanceof GoNoValue;
            case GoBool bool -> right instanceof GoBool other && bool.value() == other.value();
            case GoInt number -> right instanceof GoInt other && number.value() == other.value();
            case GoFloat number -> right instanceof GoFloat other && number.value() == other.value();
            case GoComplex number ->
                right instanceof GoComplex other
                        && number.real() == other.real()
                        && number.imaginary() == other.imaginary();
            case GoString text ->
                right instanceof GoString other && text.bytes().equals(other.bytes());
            case GoFunction function ->
                right instanceof GoFunction other && function.code() == null && other.code() == null;
            case GoOpaque opaque ->
                right instanceof GoOpaque other && opaque.payload().equals(other.payload());
            case GoSlice list -> right instanceof GoSlice other && sameLists(list, other);
            case GoMap map -> right instanceof GoMap other && sameMaps(map, other);
            case GoPointer pointer -> right instanceof GoPointer other && sameTargets(pointer, other);
            case GoStruct struct -> right instanceof GoStruct other && sameFields(struct, other);
        };
    }

    private boolean sameLists(GoSlice left, GoSlice right) {
        List<GoValue> others = right.items();
        if (left.items() == others) {
            return true;
        }
        if (left.items() == null || others == null || left.length() != others.size()) {
            return false;
        }
        enter(left.items());
        boolean same = true;
        for (int i = 0; same && i < others.size(); i++) {
            same = equal(left.items().get(i), others.get(i));
        }
        nesting.leave();
        return same;
    }

    private boolean sameMaps(GoMap left, GoMap right) {
        Map<GoValue, GoValue> others = right.entries();
        if (left.entries() == others) {
            return true;
        }
        if (left.entries() == null || others == null || left.length() != others.size()) {
            return false;
        }
        enter(left.entries());
        boolean same = true;
        for (Map.Entry<GoValue, GoValue> entry : left.entries().entrySet()) {
            GoValue other = others.get(entry.getKey());
            if (other == null || !equal(entry.getValue(), other)) {
                same = false;
                break;
            }
        }
        nesting.leave();
        return same;
    }

    private boolean sameTargets(GoPointer left, GoPointer right) {
        if (left.target() == right.target()) {
            return true;
        }
        if (left.target() == null || right.target() == null) {
            return false;
        }
        enter(left);
        boolean same = equal(left.target(), right.target());
        nesting.leave();
        return same;
    }

    private boolean sameFields(GoStruct left, GoStruct right) {
        enter(left);
        boolean same = true;
        for (int i = 0; same && i < left.type().fields().size(); i++) {
            same = equal(left.field(i), right.field(i));
        }
        nesting.leave();
        return same;
    }

    private void enter(Object container) {
        if (!nesting.enter(container)) {
            throw nesting.newLimitException();
        }
    }
}
