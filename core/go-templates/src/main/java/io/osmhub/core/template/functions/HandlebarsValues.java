package io.osmhub.core.template.functions;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoPrint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Go values in Handlebars: pointers are followed, and arguments are converted to what a function expects. */
public final class HandlebarsValues {
    private HandlebarsValues() {}

    /** The value after following pointers; {@link GoNil#ANY} for a nil pointer and an absent value. */
    public static GoValue dereference(GoValue value) {
        GoValue target = value;
        while (target instanceof GoPointer pointer) {
            if (pointer.target() == null) {
                return GoNil.ANY;
            }
            target = pointer.target();
        }
        return target instanceof GoNoValue ? GoNil.ANY : target;
    }

    /** False for nothing, false, zero, and an empty text, list or map. */
    public static boolean isTruthy(GoValue value) {
        return !Defaults.isEmpty(dereference(value));
    }

    /**
     * The text of a value as bytes; "" for nothing.
     *
     * @throws GoCallException for a list, map or struct, whose Go format is of no use in a file
     */
    public static String text(GoValue value, ExecutionEnvironment environment) throws GoCallException {
        GoValue printed = dereference(value);
        if (printed instanceof GoNil) {
            return "";
        }
        if (printed instanceof GoString text) {
            return text.bytes();
        }
        boolean number = printed instanceof GoBool || printed instanceof GoInt || printed instanceof GoFloat;
        boolean printsItself =
                printed.type().method("String") != null || printed.type().method("Error") != null;
        if (!number && !printsItself) {
            throw new GoCallException(
                    describeKind(printed) + " cannot be printed; use one of its elements, join, toJson or toYaml");
        }
        return GoPrint.display(environment, printed);
    }

    /** A field of a struct, value of a map or element of a list, where nothing follows the last one; null if there is none of that name. */
    public static @Nullable GoValue field(GoValue value, String name) {
        return switch (value) {
            case GoStruct struct
            when struct.type().fieldIndex(name) >= 0 ->
                struct.field(struct.type().fieldIndex(name));
            case GoMap map -> map.elements().get(GoString.of(name));
            case GoSlice list -> {
                boolean number = name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9');
                if (!number || name.isEmpty()) {
                    yield null;
                }
                int position = Integer.parseInt(name);
                yield position < list.length() ? list.elements().get(position) : GoNil.ANY;
            }
            default -> null;
        };
    }

    /** The fields of a struct or keys of a map, for suggestions. */
    public static List<String> fieldNames(GoValue value) {
        if (value instanceof GoMap map) {
            return map.elements().keySet().stream()
                    .map(key -> GoPrint.display(ExecutionEnvironment.UNLIMITED, key))
                    .sorted()
                    .toList();
        }
        return value.type().fields().stream().map(GoType.Field::name).toList();
    }

    /** The kind of a value, for messages; never the value itself, which may be secret. */
    public static String describeKind(GoValue value) {
        return switch (dereference(value)) {
            case GoNil nil -> "nothing";
            case GoBool bool -> "a boolean";
            case GoInt integer -> "a number";
            case GoFloat number -> "a number";
            case GoString text -> "a text";
            case GoSlice slice -> "a list";
            case GoMap map -> "a map";
            default -> "a structure";
        };
    }

    /**
     * An argument as the type of its parameter.
     *
     * @param position of the argument, from 1, for messages
     * @throws GoCallException if it is of a kind that cannot be converted
     */
    public static GoValue convert(GoValue argument, GoType parameter, int position, ExecutionEnvironment environment)
            throws GoCallException {
        GoValue value = dereference(argument);
        boolean nothing = value instanceof GoNil;
        return switch (parameter.kind()) {
            case STRING -> GoString.ofBytes(text(value, environment));
            case INT, INT64 -> wholeNumber(value, position);
            case SLICE -> nothing ? new GoSlice(GoType.LIST, null) : required(value, GoSlice.class, "a list", position);
            case MAP -> nothing ? new GoMap(GoType.DICT, null) : required(value, GoMap.class, "a map", position);
            default -> value;
        };
    }

    private static GoValue required(GoValue value, Class<?> type, String kind, int position) throws GoCallException {
        if (!type.isInstance(value)) {
            throw mismatch(position, kind, value);
        }
        return value;
    }

    private static GoValue wholeNumber(GoValue value, int position) throws GoCallException {
        try {
            GoValue number = value instanceof GoString text ? GoInt.of(Long.parseLong(text.bytes())) : value;
            return required(number, GoInt.class, "a whole number", position);
        } catch (NumberFormatException notWhole) {
            throw mismatch(position, "a whole number", value);
        }
    }

    static GoCallException mismatch(int position, String expected, GoValue found) {
        return new GoCallException("argument " + position + " must be " + expected + ", not " + describeKind(found));
    }
}
