package io.osmhub.core.golang.text;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The order in which Go prints and iterates a map in a template: nil, then by type if the keys have several, then by value. Total,
 * even where Go's order is random (addresses).
 */
public final class MapKeyOrder {
    /** Keys in Go's order. */
    public static final Comparator<GoValue> KEYS = MapKeyOrder::compare;

    /** Go orders types by address in the program, for these in this order, shortest descriptors first. */
    private static final List<GoKind> BASIC = List.of(
            GoKind.STRING,
            GoKind.INT8,
            GoKind.UINT8,
            GoKind.INT16,
            GoKind.UINT16,
            GoKind.INT32,
            GoKind.UINT32,
            GoKind.INT64,
            GoKind.UINT64,
            GoKind.INT,
            GoKind.UINT,
            GoKind.UINTPTR,
            GoKind.COMPLEX64,
            GoKind.COMPLEX128,
            GoKind.FLOAT32,
            GoKind.FLOAT64,
            GoKind.BOOL);

    private MapKeyOrder() {}

    /** The map's entries, sorted by key. */
    public static List<Map.Entry<GoValue, GoValue>> sortEntries(GoMap map) {
        List<Map.Entry<GoValue, GoValue>> entries =
                new ArrayList<>(map.elements().entrySet());
        if (entries.size() > 1) {
            entries.sort(Map.Entry.comparingByKey(KEYS));
        }
        return entries;
    }

    private static int compare(GoValue a, GoValue b) {
        if (a instanceof GoString x && b instanceof GoString y && x.type() == y.type()) {
            return x.bytes().compareTo(y.bytes());
        }
        if (a instanceof GoNil || b instanceof GoNil) {
            return Boolean.compare(!(a instanceof GoNil), !(b instanceof GoNil));
        }
        return a.type().equals(b.type()) ? compareSameType(a, b) : compareTypes(a.type(), b.type());
    }

    private static int compareSameType(GoValue a, GoValue b) {
        if (a instanceof GoString x && b instanceof GoString y) {
            return x.bytes().compareTo(y.bytes());
        }
        if (a instanceof GoInt x && b instanceof GoInt y) {
            return x.kind().isUnsigned()
                    ? Long.compareUnsigned(x.value(), y.value())
                    : Long.compare(x.value(), y.value());
        }
        if (a instanceof GoFloat x && b instanceof GoFloat y) {
            return compareFloats(x.value(), y.value());
        }
        if (a instanceof GoComplex x && b instanceof GoComplex y) {
            int real = compareFloats(x.real(), y.real());
            return real == 0 ? compareFloats(x.imaginary(), y.imaginary()) : real;
        }
        if (a instanceof GoBool x && b instanceof GoBool y) {
            return Boolean.compare(x.value(), y.value());
        }
        if (a instanceof GoStruct x && b instanceof GoStruct y) {
            return compareFields(x, y);
        }
        if (a instanceof GoPointer x && b instanceof GoPointer y) {
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

    private static int compareFields(GoStruct x, GoStruct y) {
        for (int i = 0; i < x.type().fields().size(); i++) {
            int order = compare(x.field(i), y.field(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int compareTypes(GoType a, GoType b) {
        int order = Integer.compare(rank(a), rank(b));
        return order == 0 ? a.toString().compareTo(b.toString()) : order;
    }

    private static int rank(GoType type) {
        if (!type.name().isEmpty()) {
            return BASIC.size() + 1;
        }
        int basic = BASIC.indexOf(type.kind());
        if (basic >= 0) {
            return basic + 1;
        }
        return type.kind() == GoKind.POINTER ? (type.elem().name().isEmpty() ? 0 : BASIC.size() + 2) : BASIC.size() + 3;
    }
}
