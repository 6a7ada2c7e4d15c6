package io.osmhub.core.template.go;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The functions of the template language itself. */
final class Builtins {
    private static final String ANY_VALUES = "func(reflect.Value, ...reflect.Value) reflect.Value";
    private static final String TO_TEXT = "func(...interface {}) string";

    /** Evaluated by the engine, because it must not evaluate all its arguments. */
    private static final Func AND = function(ANY_VALUES, Builtins::unreachable);

    private static final Func OR = function(ANY_VALUES, Builtins::unreachable);
    /** Gets from the engine, before its arguments, the text that names the called value in messages. */
    private static final Func CALL = function(ANY_VALUES, Builtins::call);

    private static final Map<String, Func> ALL = Map.ofEntries(
            Map.entry("and", AND),
            Map.entry("or", OR),
            Map.entry("call", CALL),
            Map.entry(
                    "not",
                    function(
                            "func(reflect.Value) bool",
                            (environment, arguments) -> Bool.of(!Reflection.truth(arguments.getFirst())))),
            Map.entry(
                    "len",
                    function(
                            "func(reflect.Value) (int, error)",
                            (environment, arguments) -> length(arguments.getFirst()))),
            Map.entry("index", function(ANY_VALUES, (environment, arguments) -> index(arguments))),
            Map.entry("slice", function(ANY_VALUES, (environment, arguments) -> slice(arguments))),
            Map.entry(
                    "print",
                    function(TO_TEXT, (environment, arguments) -> Str.ofBytes(GoPrint.sprint(environment, arguments)))),
            Map.entry(
                    "println",
                    function(
                            TO_TEXT,
                            (environment, arguments) -> Str.ofBytes(GoPrint.sprintln(environment, arguments)))),
            Map.entry("printf", function("func(string, ...interface {}) string", Builtins::printf)),
            Map.entry("html", function(TO_TEXT, (environment, arguments) -> Escapes.html(environment, arguments))),
            Map.entry("js", function(TO_TEXT, (environment, arguments) -> Escapes.js(environment, arguments))),
            Map.entry(
                    "urlquery",
                    function(TO_TEXT, (environment, arguments) -> Escapes.urlquery(environment, arguments))),
            Map.entry(
                    "eq",
                    function(
                            "func(reflect.Value, ...reflect.Value) (bool, error)",
                            (environment, arguments) -> Bool.of(Comparison.equal(environment, arguments)))),
            Map.entry("ne", comparison((environment, a, b) -> !Comparison.equal(environment, List.of(a, b)))),
            Map.entry("lt", comparison(Comparison::less)),
            Map.entry("le", comparison(Comparison::lessOrEqual)),
            Map.entry("gt", comparison((environment, a, b) -> !Comparison.lessOrEqual(environment, a, b))),
            Map.entry("ge", comparison((environment, a, b) -> !Comparison.less(environment, a, b))));

    private Builtins() {}

    static void contribute(FunctionTable.Builder builder) {
        ALL.forEach(builder::add);
    }

    static boolean isShortCircuit(Func function) {
        return function == AND || function == OR;
    }

    static boolean isOr(Func function) {
        return function == OR;
    }

    static boolean isCall(Func function) {
        return function == CALL;
    }

    private static Func function(String signature, Func.Code code) {
        return new Func(Signatures.func(signature), code);
    }

    @FunctionalInterface
    private interface Test {
        boolean holds(Environment environment, Value a, Value b) throws CallFailure;
    }

    private static Func comparison(Test test) {
        return function(
                "func(reflect.Value, reflect.Value) (bool, error)",
                (environment, arguments) -> Bool.of(test.holds(environment, arguments.get(0), arguments.get(1))));
    }

    private static Value unreachable(Environment environment, List<Value> arguments) {
        throw new IllegalStateException("the engine evaluates this function itself");
    }

    private static Value printf(Environment environment, List<Value> arguments) {
        String format = ((Str) arguments.getFirst()).bytes();
        return Str.ofBytes(GoPrint.sprintf(environment, format, arguments.subList(1, arguments.size())));
    }

    private static Value length(Value value) throws CallFailure {
        if (value == Absent.ABSENT) {
            throw new CallFailure("reflect: call of reflect.Value.Type on zero Value");
        }
        Value target = Reflection.followed(value);
        if (Reflection.isNilEnd(target)) {
            throw new CallFailure("len of nil pointer");
        }
        return switch (target) {
            case Str string -> Int.of(string.bytes().length());
            case Slice slice -> Int.of(slice.length());
            case MapValue map -> Int.of(map.length());
            default -> throw new CallFailure("len of type " + target.type());
        };
    }

    private static Value index(List<Value> arguments) throws CallFailure {
        Value item = Reflection.withoutInterface(arguments.getFirst());
        if (item == Absent.ABSENT) {
            throw new CallFailure("index of untyped nil");
        }
        for (Value argument : arguments.subList(1, arguments.size())) {
            Value key = Reflection.withoutInterface(argument);
            item = Reflection.followed(item);
            if (Reflection.isNilEnd(item)) {
                throw new CallFailure("index of nil pointer");
            }
            item = switch (item) {
                case Slice slice -> {
                    int at = position(key, slice.length());
                    if (at == slice.length()) {
                        throw new CallFailure("reflect: slice index out of range");
                    }
                    yield slice.elements().get(at);
                }
                case Str string -> {
                    int at = position(key, string.bytes().length());
                    if (at == string.bytes().length()) {
                        throw new CallFailure("reflect: string index out of range");
                    }
                    yield new Int(Type.UINT8, string.bytes().charAt(at));
                }
                case MapValue map -> element(map, key);
                default -> throw new CallFailure("can't index item of type " + item.type());
            };
        }
        return item;
    }

    private static Value element(MapValue map, Value key) throws CallFailure {
        Value prepared = prepared(key, map.type().key());
        if (!Reflection.isComparable(prepared.type())) {
            throw new CallFailure("runtime error: hash of unhashable type " + prepared.type());
        }
        Value element = map.elements().get(prepared);
        return element == null ? Reflection.zero(map.type().elem()) : element;
    }

    /** An index as a position from 0 to the length; the length itself is for the caller to judge. */
    private static int position(Value index, int length) throws CallFailure {
        if (index == Absent.ABSENT) {
            throw new CallFailure("cannot index slice/array with nil");
        }
        if (!(index instanceof Int number)) {
            throw new CallFailure("cannot index slice/array with type " + index.type());
        }
        if (number.value() < 0 || number.value() > length) {
            throw new CallFailure("index out of range: " + number.value());
        }
        return (int) number.value();
    }

    /** An argument as one of the type; other than for the arguments of a function in the template, integers convert. */
    private static Value prepared(Value value, Type type) throws CallFailure {
        if (value == Absent.ABSENT) {
            if (!Reflection.canBeNil(type)) {
                throw new CallFailure("value is nil; should be of type " + type);
            }
            return Reflection.zero(type);
        }
        boolean integers = value.kind().isInteger() && type.kind().isInteger();
        if (!integers && !Reflection.isAssignable(value.type(), type)) {
            throw new CallFailure("value has type " + value.type() + "; should be " + type);
        }
        return Reflection.converted(value, type);
    }

    private static Value slice(List<Value> arguments) throws CallFailure {
        Value first = Reflection.withoutInterface(arguments.getFirst());
        if (first == Absent.ABSENT) {
            throw new CallFailure("slice of untyped nil");
        }
        int count = arguments.size() - 1;
        if (count > 3) {
            throw new CallFailure("too many slice indexes: " + count);
        }
        Value item = Reflection.followed(first);
        if (Reflection.isNilEnd(item)) {
            throw new CallFailure("slice of nil pointer");
        }
        int length =
                switch (item) {
                    case Str string -> {
                        if (count == 3) {
                            throw new CallFailure("cannot 3-index slice a string");
                        }
                        yield string.bytes().length();
                    }
                    case Slice slice -> slice.length();
                    default -> throw new CallFailure("can't slice item of type " + item.type());
                };
        int[] at = {0, length, length};
        for (int i = 0; i < count; i++) {
            at[i] = position(Reflection.withoutInterface(arguments.get(i + 1)), length);
        }
        refuseDescent(at[0], at[1]);
        if (count == 3) {
            refuseDescent(at[1], at[2]);
        }
        return item instanceof Str string
                ? new Str(string.type(), string.bytes().substring(at[0], at[1]))
                : new Slice(
                        item.type(), new ArrayList<>(((Slice) item).elements().subList(at[0], at[1])));
    }

    private static void refuseDescent(int from, int to) throws CallFailure {
        if (from > to) {
            throw new CallFailure("invalid slice index: " + from + " > " + to);
        }
    }

    /** Calls a function value; before its arguments stands how it was written in the template. */
    private static Value call(Environment environment, List<Value> arguments) throws CallFailure {
        String name = ((Str) arguments.getFirst()).bytes();
        Value called = Reflection.withoutInterface(arguments.get(1));
        if (called == Absent.ABSENT) {
            throw new CallFailure("call of nil");
        }
        if (!(called instanceof Func function)) {
            throw new CallFailure("non-function " + name + " of type " + called.type());
        }
        List<Type> parameters = function.type().parameters();
        boolean variadic = function.type().variadic();
        int fixed = variadic ? parameters.size() - 1 : parameters.size();
        List<Value> given = arguments.subList(2, arguments.size());
        if (variadic ? given.size() < fixed : given.size() != fixed) {
            throw new CallFailure("wrong number of args for " + name + ": got " + given.size() + " want "
                    + (variadic ? "at least " : "") + fixed);
        }
        List<Value> values = new ArrayList<>(given.size());
        for (int i = 0; i < given.size(); i++) {
            Type type = i < fixed ? parameters.get(i) : parameters.get(fixed).elem();
            try {
                values.add(prepared(Reflection.withoutInterface(given.get(i)), type));
            } catch (CallFailure failure) {
                throw new CallFailure("arg " + i + ": " + failure.text());
            }
        }
        Func.Code code = function.code();
        if (code == null) {
            throw new CallFailure("reflect: call of nil function");
        }
        environment.charge(1, 0);
        return code.call(environment, values);
    }
}
