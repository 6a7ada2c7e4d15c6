package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
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
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import io.osmhub.core.template.functions.FunctionRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The functions of the template language itself. */
public final class BuiltinFunctions {
    private static final GoType ANY_VALUES =
            GoType.variadic(GoType.REFLECT_VALUE, GoType.REFLECT_VALUE, GoType.REFLECT_VALUE);
    private static final GoType TO_TEXT = GoType.variadic(GoType.STRING, GoType.ANY);

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
                            GoType.function(GoType.BOOL, GoType.REFLECT_VALUE),
                            (environment, arguments) -> GoBool.of(!GoReflection.isTrue(arguments.getFirst())))),
            Map.entry(
                    "len",
                    function(
                            GoType.function(GoType.INT, GoType.REFLECT_VALUE),
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
            Map.entry(
                    "printf",
                    function(GoType.variadic(GoType.STRING, GoType.STRING, GoType.ANY), BuiltinFunctions::printf)),
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
                            GoType.variadic(GoType.BOOL, GoType.REFLECT_VALUE, GoType.REFLECT_VALUE),
                            (environment, arguments) -> GoBool.of(ValueComparison.isEqual(environment, arguments)))),
            Map.entry("ne", comparison((environment, a, b) -> !ValueComparison.isEqual(environment, List.of(a, b)))),
            Map.entry("lt", comparison(ValueComparison::isLess)),
            Map.entry("le", comparison(ValueComparison::isLessOrEqual)),
            Map.entry("gt", comparison((environment, a, b) -> !ValueComparison.isLessOrEqual(environment, a, b))),
            Map.entry("ge", comparison((environment, a, b) -> !ValueComparison.isLess(environment, a, b))));

    private BuiltinFunctions() {}

    public static void addTo(FunctionRegistry.Builder functions) {
        ALL.forEach(functions::add);
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

    private static GoFunction function(GoType signature, GoFunction.Code code) {
        return new GoFunction(signature, code);
    }

    @FunctionalInterface
    private interface Test {
        boolean holds(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException;
    }

    private static GoFunction comparison(Test test) {
        return function(
                GoType.function(GoType.BOOL, GoType.REFLECT_VALUE, GoType.REFLECT_VALUE),
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

    /** {@code html}, {@code js} and {@code urlquery}: the arguments as {@code print} shows them, escaped. */
    private static final class EscapeFunctions {
        private static final String HEX = "0123456789ABCDEF";

        /** The arguments' text; unlike {@code print}, follows pointers as an action does. */
        private static String text(ExecutionEnvironment environment, List<GoValue> arguments) {
            List<GoValue> shown = new ArrayList<>(arguments.size());
            for (GoValue argument : arguments) {
                shown.add(argument instanceof GoNil ? GoString.of("<no value>") : GoPrint.printable(argument));
            }
            String text = GoPrint.sprint(environment, shown);
            environment.charge(text.length(), 2L * text.length());
            return text;
        }

        static GoValue html(ExecutionEnvironment environment, List<GoValue> arguments) {
            String text = text(environment, arguments);
            StringBuilder escaped = new StringBuilder(text.length() + 16);
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                switch (c) {
                    case 0 -> Utf8Runes.append(escaped, Utf8Runes.REPLACEMENT);
                    case '"' -> escaped.append("&#34;");
                    case '\'' -> escaped.append("&#39;");
                    case '&' -> escaped.append("&amp;");
                    case '<' -> escaped.append("&lt;");
                    case '>' -> escaped.append("&gt;");
                    default -> escaped.append(c);
                }
            }
            return GoString.ofBytes(escaped.toString());
        }

        static GoValue js(ExecutionEnvironment environment, List<GoValue> arguments) {
            String text = text(environment, arguments);
            StringBuilder escaped = new StringBuilder(text.length() + 16);
            for (int i = 0; i < text.length(); ) {
                int rune = Utf8Runes.runeAt(text, i);
                int size = Utf8Runes.size(rune);
                switch (rune) {
                    case '\\', '\'', '"' -> escaped.append('\\').append((char) rune);
                    case '<', '>', '&', '=' -> appendUnicode(escaped, rune);
                    default -> {
                        if (rune >= ' ' && rune < 0x80) {
                            escaped.append((char) rune);
                        } else if (rune >= 0x80 && GoQuote.isPrint(rune) || rune == Utf8Runes.BROKEN) {
                            escaped.append(text, i, i + size);
                        } else {
                            appendUnicode(escaped, rune);
                        }
                    }
                }
                i += size;
            }
            return GoString.ofBytes(escaped.toString());
        }

        private static void appendUnicode(StringBuilder to, int rune) {
            String hex = Integer.toHexString(rune).toUpperCase(Locale.ROOT);
            to.append("\\u").repeat('0', Math.max(4 - hex.length(), 0)).append(hex);
        }

        static GoValue urlquery(ExecutionEnvironment environment, List<GoValue> arguments) {
            String text = text(environment, arguments);
            StringBuilder escaped = new StringBuilder(text.length() + 16);
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                boolean plain =
                        c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-_.~".indexOf(c) >= 0;
                if (plain) {
                    escaped.append(c);
                } else if (c == ' ') {
                    escaped.append('+');
                } else {
                    escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
                }
            }
            return GoString.ofBytes(escaped.toString());
        }
    }

    /**
     * {@code eq}, {@code lt} and others. Only values of one basic kind are comparable, independent of width and name; integers are
     * comparable with each other, signed or not.
     */
    private static final class ValueComparison {
        private static final String BAD_TYPE = "invalid type for comparison";

        /** Characters compared per step of the budget. */
        private static final int CHARS_PER_STEP = 4_096;

        private enum BasicKind {
            BOOL,
            COMPLEX,
            FLOAT,
            SIGNED,
            STRING,
            UNSIGNED,
            OTHER
        }

        private static BasicKind sort(GoValue value) {
            if (value == GoNoValue.ABSENT) {
                return BasicKind.OTHER;
            }
            GoKind kind = value.kind();
            if (kind == GoKind.STRING) {
                return BasicKind.STRING;
            }
            if (kind == GoKind.BOOL) {
                return BasicKind.BOOL;
            }
            if (kind.isSigned()) {
                return BasicKind.SIGNED;
            }
            if (kind.isUnsigned()) {
                return BasicKind.UNSIGNED;
            }
            return kind.isFloat() ? BasicKind.FLOAT : kind.isComplex() ? BasicKind.COMPLEX : BasicKind.OTHER;
        }

        /** Whether the first equals any of the others. */
        static boolean isEqual(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
            if (arguments.size() == 1) {
                throw new GoCallException("missing argument for comparison");
            }
            GoValue first = GoReflection.unwrapInterface(arguments.getFirst());
            for (int i = 1; i < arguments.size(); i++) {
                if (isEqual(environment, first, GoReflection.unwrapInterface(arguments.get(i)))) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isEqual(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException {
            BasicKind sort = sort(a);
            if (a instanceof GoInt x && b instanceof GoInt y) {
                return x.value() == y.value() && (sort == sort(b) || x.value() >= 0);
            }
            if (sort != sort(b)) {
                if (a == GoNoValue.ABSENT || b == GoNoValue.ABSENT) {
                    return false;
                }
                throw incompatible(a, b);
            }
            return sort == BasicKind.OTHER ? equalOther(environment, a, b) : equalBasic(environment, a, b);
        }

        private static boolean equalBasic(ExecutionEnvironment environment, GoValue a, GoValue b) {
            return switch (a) {
                case GoString x -> equalText(environment, x.bytes(), ((GoString) b).bytes());
                case GoBool x -> x.value() == ((GoBool) b).value();
                case GoInt x -> x.value() == ((GoInt) b).value();
                case GoFloat x -> x.value() == ((GoFloat) b).value();
                case GoComplex x -> x.real() == ((GoComplex) b).real() && x.imaginary() == ((GoComplex) b).imaginary();
                default -> throw new IllegalStateException("no basic value: " + a.type());
            };
        }

        private static boolean equalText(ExecutionEnvironment environment, String a, String b) {
            environment.charge(a.length() == b.length() ? a.length() / CHARS_PER_STEP : 0, 0);
            return a.equals(b);
        }

        private static boolean lessText(ExecutionEnvironment environment, String a, String b) {
            environment.charge(Math.min(a.length(), b.length()) / CHARS_PER_STEP, 0);
            return a.compareTo(b) < 0;
        }

        private static boolean equalOther(ExecutionEnvironment environment, GoValue a, GoValue b)
                throws GoCallException {
            boolean someAbsent = a == GoNoValue.ABSENT || b == GoNoValue.ABSENT;
            if (!someAbsent && a.kind() != b.kind()) {
                throw new GoCallException("non-comparable types " + shown(environment, a) + ": " + a.type() + ", "
                        + b.type() + ": " + GoPrint.sprint(environment, List.of(b)));
            }
            if (GoReflection.isNil(a) || GoReflection.isNil(b)) {
                return GoReflection.isNil(a) == GoReflection.isNil(b);
            }
            if (!GoReflection.isComparable(b.type())) {
                throw new GoCallException("non-comparable type " + shown(environment, b) + ": " + b.type());
            }
            return identical(environment, a, b);
        }

        private static GoCallException incompatible(GoValue a, GoValue b) {
            return new GoCallException("incompatible types for comparison: " + a.type() + " and " + b.type());
        }

        private static String shown(ExecutionEnvironment environment, GoValue value) {
            return GoPrint.sprintf(environment, "%s", List.of(value));
        }

        /** Go's {@code ==} of two interfaces. */
        private static boolean identical(ExecutionEnvironment environment, GoValue a, GoValue b) {
            if (!a.type().equals(b.type())) {
                return false;
            }
            return switch (a) {
                // Small ints and the bools are shared here although Go would have them at different addresses.
                case GoPointer x ->
                    a == b
                            || x.target() == ((GoPointer) b).target()
                                    && !(x.target() instanceof GoBool || x.target() instanceof GoInt);
                case GoStruct x -> sameFields(environment, x, (GoStruct) b);
                case GoOpaque x -> x.payload().equals(((GoOpaque) b).payload());
                default -> a.equals(b);
            };
        }

        private static boolean sameFields(ExecutionEnvironment environment, GoStruct a, GoStruct b) {
            List<GoType.Field> fields = a.type().fields();
            for (int i = 0; i < fields.size(); i++) {
                GoValue x = a.field(i);
                GoValue y = b.field(i);
                boolean basic = sort(x) != BasicKind.OTHER && x.type().equals(y.type());
                if (!(basic ? equalBasic(environment, x, y) : identical(environment, x, y))) {
                    return false;
                }
            }
            return true;
        }

        static boolean isLess(ExecutionEnvironment environment, GoValue first, GoValue second) throws GoCallException {
            GoValue a = GoReflection.unwrapInterface(first);
            GoValue b = GoReflection.unwrapInterface(second);
            BasicKind sort = sort(a);
            BasicKind other = sort(b);
            if (sort == BasicKind.OTHER || other == BasicKind.OTHER) {
                throw new GoCallException(BAD_TYPE);
            }
            if (a instanceof GoInt x && b instanceof GoInt y) {
                return lessInteger(x.value(), sort == BasicKind.SIGNED, y.value(), other == BasicKind.SIGNED);
            }
            if (sort != other) {
                throw incompatible(a, b);
            }
            return switch (a) {
                case GoString x -> lessText(environment, x.bytes(), ((GoString) b).bytes());
                case GoFloat x -> x.value() < ((GoFloat) b).value();
                default -> throw new GoCallException(BAD_TYPE);
            };
        }

        private static boolean lessInteger(long a, boolean aSigned, long b, boolean bSigned) {
            if (aSigned && bSigned) {
                return a < b;
            }
            boolean aNegative = aSigned && a < 0;
            boolean bNegative = bSigned && b < 0;
            return aNegative || !bNegative && Long.compareUnsigned(a, b) < 0;
        }

        static boolean isLessOrEqual(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException {
            return isLess(environment, a, b) || isEqual(environment, List.of(a, b));
        }
    }
}
