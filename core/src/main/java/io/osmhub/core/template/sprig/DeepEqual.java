package io.osmhub.core.template.sprig;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
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
import java.util.List;
import java.util.Map;

/** Go's {@code reflect.DeepEqual}: same types all the way down, and nothing is the same as something empty. */
final class DeepEqual {
    private final Nesting nesting;

    private DeepEqual(Nesting nesting) {
        this.nesting = nesting;
    }

    static boolean test(Environment environment, Value left, Value right) {
        return new DeepEqual(new Nesting(environment)).equal(left, right);
    }

    private boolean equal(Value left, Value right) {
        nesting.charge(0);
        if (!left.type().equals(right.type())) {
            return false;
        }
        return switch (left) {
            case Nil nil -> right instanceof Nil;
            case Absent absent -> right instanceof Absent;
            case Bool bool -> right instanceof Bool other && bool.value() == other.value();
            case Int number -> right instanceof Int other && number.value() == other.value();
            case Flt number -> right instanceof Flt other && number.value() == other.value();
            case Complex number ->
                right instanceof Complex other
                        && number.real() == other.real()
                        && number.imaginary() == other.imaginary();
            case Str text -> right instanceof Str other && text.bytes().equals(other.bytes());
            case Func function -> right instanceof Func other && function.code() == null && other.code() == null;
            case Opaque opaque ->
                right instanceof Opaque other && opaque.payload().equals(other.payload());
            case Slice list -> right instanceof Slice other && sameLists(list, other);
            case MapValue map -> right instanceof MapValue other && sameMaps(map, other);
            case Pointer pointer -> right instanceof Pointer other && sameTargets(pointer, other);
            case Struct struct -> right instanceof Struct other && sameFields(struct, other);
        };
    }

    private boolean sameLists(Slice left, Slice right) {
        List<Value> others = right.items();
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

    private boolean sameMaps(MapValue left, MapValue right) {
        Map<Value, Value> others = right.entries();
        if (left.entries() == others) {
            return true;
        }
        if (left.entries() == null || others == null || left.length() != others.size()) {
            return false;
        }
        enter(left.entries());
        boolean same = true;
        for (Map.Entry<Value, Value> entry : left.entries().entrySet()) {
            Value other = others.get(entry.getKey());
            if (other == null || !equal(entry.getValue(), other)) {
                same = false;
                break;
            }
        }
        nesting.leave();
        return same;
    }

    private boolean sameTargets(Pointer left, Pointer right) {
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

    private boolean sameFields(Struct left, Struct right) {
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
            throw nesting.tooDeep();
        }
    }
}
