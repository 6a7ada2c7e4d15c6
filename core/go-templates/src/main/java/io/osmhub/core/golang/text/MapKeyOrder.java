package io.osmhub.core.golang.text;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The order in which Go prints and iterates a map in a template: nil, then by type if the keys have several, then by value. */
public final class MapKeyOrder {
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
            GoKind.FLOAT32,
            GoKind.FLOAT64,
            GoKind.BOOL);

    private MapKeyOrder() {}

    /** The map's entries, sorted by key. */
    public static List<Map.Entry<GoValue, GoValue>> sortEntries(GoMap map) {
        List<Map.Entry<GoValue, GoValue>> entries =
                new ArrayList<>(map.elements().entrySet());
        if (entries.size() > 1) {
            entries.sort(Map.Entry.comparingByKey(MapKeyOrder::compare));
        }
        return entries;
    }

    private static int compare(GoValue a, GoValue b) {
        if (a instanceof GoNil || b instanceof GoNil) {
            return Boolean.compare(!(a instanceof GoNil), !(b instanceof GoNil));
        }
        if (!a.type().equals(b.type())) {
            int order = Integer.compare(rank(a.type()), rank(b.type()));
            return order == 0 ? a.type().toString().compareTo(b.type().toString()) : order;
        }
        return switch (a) {
            case GoString x -> x.bytes().compareTo(((GoString) b).bytes());
            case GoInt x ->
                x.kind().isUnsigned()
                        ? Long.compareUnsigned(x.value(), ((GoInt) b).value())
                        : Long.compare(x.value(), ((GoInt) b).value());
            case GoFloat x -> compareFloats(x.value(), ((GoFloat) b).value());
            case GoBool x -> Boolean.compare(x.value(), ((GoBool) b).value());
            default -> 0;
        };
    }

    /** NaN comes first; both zeros are equal. */
    private static int compareFloats(double x, double y) {
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return Boolean.compare(!Double.isNaN(x), !Double.isNaN(y));
        }
        return x < y ? -1 : x > y ? 1 : 0;
    }

    private static int rank(GoType type) {
        int basic = type.name().isEmpty() ? BASIC.indexOf(type.kind()) : -1;
        return basic < 0 ? BASIC.size() : basic;
    }
}
