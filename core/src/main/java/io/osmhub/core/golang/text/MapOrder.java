package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The order in which Go prints a map and ranges over it in a template: nil, then by type where the keys have several, then by
 * value. A total order here, also where Go's is left to chance (addresses).
 */
public final class MapOrder {
    /** Keys in Go's order. */
    public static final Comparator<Value> KEYS = MapOrder::compare;

    /** Go compares types by their place in the program, which for these is this order, shortest descriptors first. */
    private static final List<Kind> BASIC = List.of(
            Kind.STRING,
            Kind.INT8,
            Kind.UINT8,
            Kind.INT16,
            Kind.UINT16,
            Kind.INT32,
            Kind.UINT32,
            Kind.INT64,
            Kind.UINT64,
            Kind.INT,
            Kind.UINT,
            Kind.UINTPTR,
            Kind.COMPLEX64,
            Kind.COMPLEX128,
            Kind.FLOAT32,
            Kind.FLOAT64,
            Kind.BOOL);

    private MapOrder() {}

    /** The map's entries, sorted by key. */
    public static List<Map.Entry<Value, Value>> sorted(MapValue map) {
        List<Map.Entry<Value, Value>> entries = new ArrayList<>(map.elements().entrySet());
        if (entries.size() > 1) {
            entries.sort(Map.Entry.comparingByKey(KEYS));
        }
        return entries;
    }

    private static int compare(Value a, Value b) {
        if (a instanceof Str x && b instanceof Str y && x.type() == y.type()) {
            return x.bytes().compareTo(y.bytes());
        }
        if (a instanceof Nil || b instanceof Nil) {
            return Boolean.compare(!(a instanceof Nil), !(b instanceof Nil));
        }
        return a.type().equals(b.type()) ? compareSameType(a, b) : compareTypes(a.type(), b.type());
    }

    private static int compareSameType(Value a, Value b) {
        if (a instanceof Str x && b instanceof Str y) {
            return x.bytes().compareTo(y.bytes());
        }
        if (a instanceof Int x && b instanceof Int y) {
            return x.kind().isUnsigned()
                    ? Long.compareUnsigned(x.value(), y.value())
                    : Long.compare(x.value(), y.value());
        }
        if (a instanceof Flt x && b instanceof Flt y) {
            return compareFloats(x.value(), y.value());
        }
        if (a instanceof Complex x && b instanceof Complex y) {
            int real = compareFloats(x.real(), y.real());
            return real == 0 ? compareFloats(x.imaginary(), y.imaginary()) : real;
        }
        if (a instanceof Bool x && b instanceof Bool y) {
            return Boolean.compare(x.value(), y.value());
        }
        if (a instanceof Struct x && b instanceof Struct y) {
            return compareFields(x, y);
        }
        if (a instanceof Pointer x && b instanceof Pointer y) {
            return Boolean.compare(!x.isNil(), !y.isNil());
        }
        return 0;
    }

    /** NaN comes first; both zeros are equal. */
    private static int compareFloats(double x, double y) {
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return Boolean.compare(!Double.isNaN(x), !Double.isNaN(y));
        }
        return x < y ? -1 : x > y ? 1 : 0;
    }

    private static int compareFields(Struct x, Struct y) {
        for (int i = 0; i < x.type().fields().size(); i++) {
            int order = compare(x.field(i), y.field(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int compareTypes(Type a, Type b) {
        int order = Integer.compare(rank(a), rank(b));
        return order == 0 ? a.toString().compareTo(b.toString()) : order;
    }

    private static int rank(Type type) {
        if (!type.name().isEmpty()) {
            return BASIC.size() + 1;
        }
        int basic = BASIC.indexOf(type.kind());
        if (basic >= 0) {
            return basic + 1;
        }
        return type.kind() == Kind.POINTER ? (type.elem().name().isEmpty() ? 0 : BASIC.size() + 2) : BASIC.size() + 3;
    }
}
