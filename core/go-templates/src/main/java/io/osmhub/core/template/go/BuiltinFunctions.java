package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.template.functions.FunctionRegistry;
import java.util.ArrayList;
import java.util.List;

/** The functions of the template language itself. */
public final class BuiltinFunctions {
    private static final GoType ANY_VALUES =
            GoType.variadic(GoType.REFLECT_VALUE, GoType.REFLECT_VALUE, GoType.REFLECT_VALUE);
    private static final GoType TO_TEXT = GoType.variadic(GoType.STRING, GoType.ANY);

    /** Evaluated by the engine, because it must not evaluate all of its arguments. */
    private static final GoFunction AND = new GoFunction(ANY_VALUES, BuiltinFunctions::unreachable);

    private static final GoFunction OR = new GoFunction(ANY_VALUES, BuiltinFunctions::unreachable);
    /** The engine passes, before the arguments, the called value's source text for messages. */
    private static final GoFunction CALL = new GoFunction(ANY_VALUES, BuiltinFunctions::call);

    private static final GoType OF_VALUE = GoType.function(GoType.BOOL, GoType.REFLECT_VALUE);
    private static final GoType OF_TWO_VALUES =
            GoType.function(GoType.BOOL, GoType.REFLECT_VALUE, GoType.REFLECT_VALUE);

    private BuiltinFunctions() {}

    public static void addTo(FunctionRegistry.Builder functions) {
        functions.add("and", AND).add("or", OR).add("call", CALL);
        add(functions, "not", OF_VALUE, (_, values) -> GoBool.of(!GoReflection.isTrue(values.getFirst())));
        add(functions, "len", GoType.function(GoType.INT, GoType.REFLECT_VALUE), (_, values) -> {
            return length(values.getFirst());
        });
        add(functions, "index", ANY_VALUES, (_, values) -> index(values));
        add(functions, "slice", ANY_VALUES, (_, values) -> slice(values));
        add(functions, "print", TO_TEXT, (environment, values) -> {
            return GoString.ofBytes(GoPrint.sprint(environment, values));
        });
        add(functions, "println", TO_TEXT, (environment, values) -> {
            return GoString.ofBytes(GoPrint.sprintln(environment, values));
        });
        add(functions, "printf", GoType.variadic(GoType.STRING, GoType.STRING, GoType.ANY), (environment, values) -> {
            String format = ((GoString) values.getFirst()).bytes();
            return GoString.ofBytes(GoPrint.sprintf(environment, format, values.subList(1, values.size())));
        });
        add(functions, "html", TO_TEXT, EscapeFunctions::html);
        add(functions, "js", TO_TEXT, EscapeFunctions::js);
        add(functions, "urlquery", TO_TEXT, EscapeFunctions::urlquery);
        addComparisons(functions);
    }

    private static void addComparisons(FunctionRegistry.Builder functions) {
        GoType ofSeveral = GoType.variadic(GoType.BOOL, GoType.REFLECT_VALUE, GoType.REFLECT_VALUE);
        add(functions, "eq", ofSeveral, (environment, values) -> {
            return GoBool.of(ValueComparison.isEqual(environment, values));
        });
        add(functions, "ne", OF_TWO_VALUES, (environment, values) -> {
            return GoBool.of(!ValueComparison.isEqual(environment, values));
        });
        add(functions, "lt", OF_TWO_VALUES, (environment, values) -> {
            return GoBool.of(ValueComparison.isLess(environment, values));
        });
        add(functions, "le", OF_TWO_VALUES, (environment, values) -> {
            return GoBool.of(ValueComparison.isLessOrEqual(environment, values));
        });
        add(functions, "gt", OF_TWO_VALUES, (environment, values) -> {
            return GoBool.of(!ValueComparison.isLessOrEqual(environment, values));
        });
        add(functions, "ge", OF_TWO_VALUES, (environment, values) -> {
            return GoBool.of(!ValueComparison.isLess(environment, values));
        });
    }

    private static void add(FunctionRegistry.Builder functions, String name, GoType type, GoFunction.Code code) {
        functions.add(name, new GoFunction(type, code));
    }

    static boolean isShortCircuit(GoFunction function) {
        return function == AND || function == OR;
    }

    static boolean isOr(GoFunction function) {
        return function == OR;
    }

    static boolean isCall(GoFunction function) {
        return function == CALL;
    }

    private static GoValue unreachable(ExecutionEnvironment environment, List<GoValue> arguments) {
        throw new IllegalStateException("the engine evaluates this function itself");
    }

    private static GoValue length(GoValue value) throws GoCallException {
        if (value == GoNoValue.ABSENT) {
            throw new GoCallException("reflect: call of reflect.Value.Type on zero Value");
        }
        GoValue target = GoReflection.dereference(value);
        if (GoReflection.isNilTarget(target)) {
            throw new GoCallException("len of nil pointer");
        }
        return switch (target) {
            case GoString string -> GoInt.of(string.bytes().length());
            case GoSlice slice -> GoInt.of(slice.length());
            case GoMap map -> GoInt.of(map.length());
            default -> throw new GoCallException("len of type " + target.type());
        };
    }

    private static GoValue index(List<GoValue> arguments) throws GoCallException {
        GoValue item = GoReflection.unwrapInterface(arguments.getFirst());
        if (item == GoNoValue.ABSENT) {
            throw new GoCallException("index of untyped nil");
        }
        for (GoValue argument : arguments.subList(1, arguments.size())) {
            GoValue key = GoReflection.unwrapInterface(argument);
            item = GoReflection.dereference(item);
            if (GoReflection.isNilTarget(item)) {
                throw new GoCallException("index of nil pointer");
            }
            item = switch (item) {
                case GoSlice slice -> slice.elements().get(position(key, slice.length() - 1));
                case GoString string -> {
                    String bytes = string.bytes();
                    yield new GoInt(GoType.UINT8, bytes.charAt(position(key, bytes.length() - 1)));
                }
                case GoMap map -> element(map, key);
                default -> throw new GoCallException("can't index item of type " + item.type());
            };
        }
        return item;
    }

    private static GoValue element(GoMap map, GoValue key) throws GoCallException {
        GoValue prepared = prepared(key, map.type().key());
        if (!GoReflection.isComparable(prepared.type())) {
            throw new GoCallException("runtime error: hash of unhashable type " + prepared.type());
        }
        GoValue element = map.elements().get(prepared);
        return element == null ? GoReflection.zeroValue(map.type().elem()) : element;
    }

    private static int position(GoValue index, int greatest) throws GoCallException {
        if (index == GoNoValue.ABSENT) {
            throw new GoCallException("cannot index slice/array with nil");
        }
        if (!(index instanceof GoInt number)) {
            throw new GoCallException("cannot index slice/array with type " + index.type());
        }
        if (number.value() < 0 || number.value() > greatest) {
            throw new GoCallException("index out of range: " + number.value());
        }
        return (int) number.value();
    }

    /** Converts an argument to the type; unlike for functions in a template, integers convert. */
    private static GoValue prepared(GoValue value, GoType type) throws GoCallException {
        if (value == GoNoValue.ABSENT) {
            if (!GoReflection.canBeNil(type)) {
                throw new GoCallException("value is nil; should be of type " + type);
            }
            return GoReflection.zeroValue(type);
        }
        boolean integers = value.kind().isInteger() && type.kind().isInteger();
        if (!integers && !GoReflection.isAssignable(value.type(), type)) {
            throw new GoCallException("value has type " + value.type() + "; should be " + type);
        }
        return GoReflection.convert(value, type);
    }

    private static GoValue slice(List<GoValue> arguments) throws GoCallException {
        GoValue first = GoReflection.unwrapInterface(arguments.getFirst());
        if (first == GoNoValue.ABSENT) {
            throw new GoCallException("slice of untyped nil");
        }
        int count = arguments.size() - 1;
        if (count > 3) {
            throw new GoCallException("too many slice indexes: " + count);
        }
        GoValue item = GoReflection.dereference(first);
        if (GoReflection.isNilTarget(item)) {
            throw new GoCallException("slice of nil pointer");
        }
        int length =
                switch (item) {
                    case GoString string -> {
                        if (count == 3) {
                            throw new GoCallException("cannot 3-index slice a string");
                        }
                        yield string.bytes().length();
                    }
                    case GoSlice slice -> slice.length();
                    default -> throw new GoCallException("can't slice item of type " + item.type());
                };
        int[] at = {0, length, length};
        for (int i = 0; i < count; i++) {
            at[i] = position(GoReflection.unwrapInterface(arguments.get(i + 1)), length);
        }
        refuseDescent(at[0], at[1]);
        if (count == 3) {
            refuseDescent(at[1], at[2]);
        }
        return item instanceof GoString string
                ? new GoString(string.type(), string.bytes().substring(at[0], at[1]))
                : new GoSlice(
                        item.type(), new ArrayList<>(((GoSlice) item).elements().subList(at[0], at[1])));
    }

    private static void refuseDescent(int from, int to) throws GoCallException {
        if (from > to) {
            throw new GoCallException("invalid slice index: " + from + " > " + to);
        }
    }

    /** Calls a function value; its source text precedes its arguments. */
    private static GoValue call(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        String name = ((GoString) arguments.getFirst()).bytes();
        GoValue called = GoReflection.unwrapInterface(arguments.get(1));
        if (called == GoNoValue.ABSENT) {
            throw new GoCallException("call of nil");
        }
        if (!(called instanceof GoFunction function)) {
            throw new GoCallException("non-function " + name + " of type " + called.type());
        }
        List<GoType> parameters = function.type().parameters();
        boolean variadic = function.type().variadic();
        int fixed = variadic ? parameters.size() - 1 : parameters.size();
        List<GoValue> given = arguments.subList(2, arguments.size());
        if (variadic ? given.size() < fixed : given.size() != fixed) {
            throw new GoCallException("wrong number of args for " + name + ": got " + given.size() + " want "
                    + (variadic ? "at least " : "") + fixed);
        }
        List<GoValue> values = new ArrayList<>(given.size());
        for (int i = 0; i < given.size(); i++) {
            GoType type = i < fixed ? parameters.get(i) : parameters.get(fixed).elem();
            try {
                values.add(prepared(GoReflection.unwrapInterface(given.get(i)), type));
            } catch (GoCallException failure) {
                throw new GoCallException("arg " + i + ": " + failure.text());
            }
        }
        GoFunction.Code code = function.code();
        if (code == null) {
            throw new GoCallException("reflect: call of nil function");
        }
        environment.charge(1, 0);
        return code.call(environment, values);
    }
}
