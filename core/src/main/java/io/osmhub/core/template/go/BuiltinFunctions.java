package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoFunction;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoNoValue;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.text.GoPrint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The functions of the template language itself. */
final class BuiltinFunctions {
    private static final String ANY_VALUES = "func(reflect.Value, ...reflect.Value) reflect.Value";
    private static final String TO_TEXT = "func(...interface {}) string";

    /** Evaluated by the engine, because it must not evaluate all of its arguments. */
    private static final GoFunction AND = function(ANY_VALUES, BuiltinFunctions::unreachable);

    private static final GoFunction OR = function(ANY_VALUES, BuiltinFunctions::unreachable);
    /** The engine passes, before the arguments, the called value's source text for messages. */
    private static final GoFunction CALL = function(ANY_VALUES, BuiltinFunctions::call);

    private static final Map<String, GoFunction> ALL = Map.ofEntries(
            Map.entry("and", AND),
            Map.entry("or", OR),
            Map.entry("call", CALL),
            Map.entry(
                    "not",
                    function(
                            "func(reflect.Value) bool",
                            (environment, arguments) -> GoBool.of(!GoReflection.isTrue(arguments.getFirst())))),
            Map.entry(
                    "len",
                    function(
                            "func(reflect.Value) (int, error)",
                            (environment, arguments) -> length(arguments.getFirst()))),
            Map.entry("index", function(ANY_VALUES, (environment, arguments) -> index(arguments))),
            Map.entry("slice", function(ANY_VALUES, (environment, arguments) -> slice(arguments))),
            Map.entry(
                    "print",
                    function(
                            TO_TEXT,
                            (environment, arguments) -> GoString.ofBytes(GoPrint.sprint(environment, arguments)))),
            Map.entry(
                    "println",
                    function(
                            TO_TEXT,
                            (environment, arguments) -> GoString.ofBytes(GoPrint.sprintln(environment, arguments)))),
            Map.entry("printf", function("func(string, ...interface {}) string", BuiltinFunctions::printf)),
            Map.entry(
                    "html",
                    function(TO_TEXT, (environment, arguments) -> EscapeFunctions.html(environment, arguments))),
            Map.entry("js", function(TO_TEXT, (environment, arguments) -> EscapeFunctions.js(environment, arguments))),
            Map.entry(
                    "urlquery",
                    function(TO_TEXT, (environment, arguments) -> EscapeFunctions.urlquery(environment, arguments))),
            Map.entry(
                    "eq",
                    function(
                            "func(reflect.Value, ...reflect.Value) (bool, error)",
                            (environment, arguments) -> GoBool.of(ValueComparison.isEqual(environment, arguments)))),
            Map.entry("ne", comparison((environment, a, b) -> !ValueComparison.isEqual(environment, List.of(a, b)))),
            Map.entry("lt", comparison(ValueComparison::isLess)),
            Map.entry("le", comparison(ValueComparison::isLessOrEqual)),
            Map.entry("gt", comparison((environment, a, b) -> !ValueComparison.isLessOrEqual(environment, a, b))),
            Map.entry("ge", comparison((environment, a, b) -> !ValueComparison.isLess(environment, a, b))));

    private BuiltinFunctions() {}

    static void contribute(FunctionTable.Builder builder) {
        ALL.forEach(builder::add);
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

    private static GoFunction function(String signature, GoFunction.Code code) {
        return new GoFunction(GoTypeParser.parseFunction(signature), code);
    }

    @FunctionalInterface
    private interface Test {
        boolean holds(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException;
    }

    private static GoFunction comparison(Test test) {
        return function(
                "func(reflect.Value, reflect.Value) (bool, error)",
                (environment, arguments) -> GoBool.of(test.holds(environment, arguments.get(0), arguments.get(1))));
    }

    private static GoValue unreachable(ExecutionEnvironment environment, List<GoValue> arguments) {
        throw new IllegalStateException("the engine evaluates this function itself");
    }

    private static GoValue printf(ExecutionEnvironment environment, List<GoValue> arguments) {
        String format = ((GoString) arguments.getFirst()).bytes();
        return GoString.ofBytes(GoPrint.sprintf(environment, format, arguments.subList(1, arguments.size())));
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
                case GoSlice slice -> {
                    int at = position(key, slice.length());
                    if (at == slice.length()) {
                        throw new GoCallException("reflect: slice index out of range");
                    }
                    yield slice.elements().get(at);
                }
                case GoString string -> {
                    int at = position(key, string.bytes().length());
                    if (at == string.bytes().length()) {
                        throw new GoCallException("reflect: string index out of range");
                    }
                    yield new GoInt(GoType.UINT8, string.bytes().charAt(at));
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

    /** An index as a position from 0 to the length; the caller checks whether the length itself is allowed. */
    private static int position(GoValue index, int length) throws GoCallException {
        if (index == GoNoValue.ABSENT) {
            throw new GoCallException("cannot index slice/array with nil");
        }
        if (!(index instanceof GoInt number)) {
            throw new GoCallException("cannot index slice/array with type " + index.type());
        }
        if (number.value() < 0 || number.value() > length) {
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
