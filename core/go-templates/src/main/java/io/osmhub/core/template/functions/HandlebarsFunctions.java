package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.DICT;
import static io.osmhub.core.golang.GoType.INT;
import static io.osmhub.core.golang.GoType.INT64;
import static io.osmhub.core.golang.GoType.LIST;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.STRINGS;
import static io.osmhub.core.golang.GoType.function;
import static io.osmhub.core.golang.GoType.variadic;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * The functions of Handlebars: those of Go templates where both do the same, and its own. Options come first and the text comes last,
 * so that each can also be a block. Arguments are converted to the parameter types: a text from any printable value, a whole number
 * also from a text, and nothing is an empty text, list or map.
 */
public final class HandlebarsFunctions {
    private static final int WIDEST_INDENT = 1_000;

    private static final GoType TEXT = function(STRING, STRING);
    private static final GoType TEST = function(BOOL, ANY, ANY);
    private static final GoType NUMBERS = variadic(INT64, INT64, INT64, INT64);
    private static final GoType CHOICE = variadic(ANY, ANY, ANY);
    private static final GoType ELEMENT = function(ANY, LIST);
    private static final GoType INDENT = function(STRING, INT, STRING);

    /** Functions with the name, parameters and result of Go templates. */
    private static final List<String> SAME = List.of(
            "coalesce",
            "contains",
            "fail",
            "hasKey",
            "hasPrefix",
            "hasSuffix",
            "list",
            "lower",
            "replace",
            "toYaml",
            "trim",
            "trimPrefix",
            "trimSuffix",
            "upper");

    private final FunctionRegistry goRegistry =
            FunctionRegistry.builder().addAll().build();
    private final FunctionRegistry.Builder functions = FunctionRegistry.builder();

    private HandlebarsFunctions() {}

    public static FunctionRegistry registry() {
        HandlebarsFunctions all = new HandlebarsFunctions();
        all.addGo();
        all.addLogic();
        all.addTexts();
        all.addListsAndMaps();
        return all.functions.build();
    }

    private void addGo() {
        SAME.forEach(name -> functions.add(name, find(name)));
        addGo("add", NUMBERS, "add");
        addGo("base64", TEXT, "b64enc");
        addGo("first", ELEMENT, "first");
        addGo("join", function(STRING, STRING, LIST), "join");
        addGo("last", ELEMENT, "last");
        addGo("mul", NUMBERS, "mul");
        addGo("quote", TEXT, "quote");
        addGo("semver", function(BOOL, STRING, STRING), "semverCompare");
        addGo("sha256", TEXT, "sha256sum");
        addGo("sub", NUMBERS, "sub");
        addGo("toJson", function(STRING, ANY), "mustToRawJson");
    }

    /** Adds a function of Go templates under a name of Handlebars, with stricter parameters than {@code interface {}}. */
    private void addGo(String name, GoType type, String goName) {
        functions.add(name, new GoFunction(type, find(goName).code()));
    }

    private GoFunction find(String goName) {
        return Objects.requireNonNull(goRegistry.get(goName), goName);
    }

    private void addLogic() {
        functions.add("and", CHOICE, call -> choose(call.arguments(), true));
        functions.add("or", CHOICE, call -> choose(call.arguments(), false));
        functions.add("default", function(ANY, ANY, ANY), call -> choose(call.arguments(), false));
        functions.add("not", function(BOOL, ANY), call -> GoBool.of(Defaults.isEmpty(call.value(0))));
        functions.add(
                "ternary", function(ANY, ANY, ANY, ANY), call -> call.value(Defaults.isEmpty(call.value(0)) ? 2 : 1));
        functions.add("eq", variadic(BOOL, ANY, ANY, ANY), call -> GoBool.of(equalsAny(call)));
        functions.add("ne", TEST, call -> GoBool.of(!equalsAny(call)));
        addComparison("lt", order -> order < 0);
        addComparison("le", order -> order <= 0);
        addComparison("gt", order -> order > 0);
        addComparison("ge", order -> order >= 0);
    }

    /** The first value that is empty or not, as wanted, else the last one. */
    private static GoValue choose(List<GoValue> values, boolean empty) {
        return values.stream()
                .filter(value -> Defaults.isEmpty(value) == empty)
                .findFirst()
                .orElse(values.getLast());
    }

    private static boolean equalsAny(FunctionCall call) throws GoCallException {
        for (GoValue other : call.rest(1)) {
            if (areEqual(call.value(0), other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean areEqual(GoValue left, GoValue right) throws GoCallException {
        if (left instanceof GoNil || right instanceof GoNil) {
            return left instanceof GoNil && right instanceof GoNil;
        }
        if (left instanceof GoBool a && right instanceof GoBool b) {
            return a.value() == b.value();
        }
        return compare(left, right) == 0;
    }

    private void addComparison(String name, IntPredicate test) {
        functions.add(name, TEST, call -> GoBool.of(test.test(compare(call.value(0), call.value(1)))));
    }

    /** Compares numbers by value and texts by their bytes, whatever their Go types are. */
    private static int compare(GoValue left, GoValue right) throws GoCallException {
        if (left instanceof GoString a && right instanceof GoString b) {
            return a.bytes().compareTo(b.bytes());
        }
        if (left instanceof GoInt a && right instanceof GoInt b) {
            return Long.compare(a.value(), b.value());
        }
        if (isNumber(left) && isNumber(right)) {
            return Double.compare(Numbers.toFloat(left), Numbers.toFloat(right));
        }
        throw new GoCallException("cannot compare " + HandlebarsValues.describeKind(left) + " with "
                + HandlebarsValues.describeKind(right));
    }

    private static boolean isNumber(GoValue value) {
        return value instanceof GoInt || value instanceof GoFloat;
    }

    private void addTexts() {
        functions.add(
                "concat",
                variadic(STRING, STRING, STRING),
                call -> GoString.ofBytes(call.arguments().stream()
                        .map(part -> ((GoString) part).bytes())
                        .collect(Collectors.joining())));
        functions.text("trimEnd", String::stripTrailing);
        functions.text("squote", text -> "'" + text.replace("'", "''") + "'");
        functions.text("shellQuote", text -> "'" + text.replace("'", "'\\''") + "'");
        functions.add("indent", INDENT, call -> GoString.ofBytes(indented(call)));
        functions.add("nindent", INDENT, call -> GoString.ofBytes("\n" + indented(call)));
        functions.add("lines", function(STRINGS, STRING), HandlebarsFunctions::lines);
        functions.add("split", function(STRINGS, STRING, STRING), HandlebarsFunctions::split);
        functions.add("base64Decode", TEXT, HandlebarsFunctions::base64Decode);
        functions.add(
                "toToml",
                function(STRING, ANY),
                call -> GoString.ofBytes(TomlEncoder.encode(call.value(0), 2, call.environment())));
    }

    private static String indented(FunctionCall call) throws GoCallException {
        long width = call.integer(0);
        if (width < 0 || width > WIDEST_INDENT) {
            throw new GoCallException("argument 1 must be from 0 to " + WIDEST_INDENT);
        }
        String text = call.text(1);
        call.chargeText(width * (1 + text.chars().filter(c -> c == '\n').count()));
        String blanks = " ".repeat((int) width);
        StringBuilder indented = new StringBuilder();
        for (int start = 0, end; start < text.length(); start = end) {
            int lineBreak = text.indexOf('\n', start);
            end = lineBreak < 0 ? text.length() : lineBreak + 1;
            indented.append(lineBreak == start ? "" : blanks).append(text, start, end);
        }
        return indented.toString();
    }

    private static GoValue lines(FunctionCall call) {
        call.chargeSlots(
                1 + call.text(0).chars().filter(c -> c == '\n' || c == '\r').count());
        return Strings.strings(call.text(0).lines().toList());
    }

    private static GoValue split(FunctionCall call) throws GoCallException {
        if (call.text(0).isEmpty()) {
            throw new GoCallException("argument 1 must not be empty");
        }
        return call.text(1).isEmpty() ? Strings.strings(List.of()) : Strings.split(call, call.text(1), -1);
    }

    private static GoValue base64Decode(FunctionCall call) throws GoCallException {
        try {
            return GoString.ofBytes(new String(Base64.getMimeDecoder().decode(call.text(0)), ISO_8859_1));
        } catch (IllegalArgumentException invalid) {
            throw new GoCallException("the text is not base64");
        }
    }

    private void addListsAndMaps() {
        functions.add("dict", variadic(DICT, ANY), call -> {
            if (call.count() % 2 != 0) {
                throw new GoCallException("the last key has no value");
            }
            return Dicts.dict(call);
        });
        functions.add("get", variadic(ANY, ANY, STRING, ANY), HandlebarsFunctions::get);
        functions.add("index", function(ANY, LIST, INT), call -> {
            List<GoValue> list = call.list(0);
            long index = call.integer(1);
            return index < 0 || index >= list.size() ? GoNil.ANY : list.get((int) index);
        });
        functions.add("len", function(INT, ANY), call -> switch (call.value(0)) {
            case GoSlice list -> GoInt.of(list.length());
            case GoMap map -> GoInt.of(map.length());
            case GoString text -> GoInt.of(text.bytes().length());
            case GoNil nothing -> GoInt.of(0);
            case GoValue other -> throw HandlebarsValues.mismatch(1, "a list, a map or a text", other);
        });
        functions.add("has", function(BOOL, STRING, LIST), call -> {
            for (GoValue element : call.list(1)) {
                call.charge(1);
                if (HandlebarsValues.text(element, call.environment()).equals(call.text(0))) {
                    return GoBool.TRUE;
                }
            }
            return GoBool.FALSE;
        });
    }

    private static GoValue get(FunctionCall call) throws GoCallException {
        GoValue holder = call.value(0);
        if (call.count() > 3) {
            throw new GoCallException("more than one fallback");
        }
        boolean hasFields = holder instanceof GoMap || holder instanceof GoStruct || holder instanceof GoNil;
        if (!hasFields) {
            throw HandlebarsValues.mismatch(1, "a map", holder);
        }
        GoValue field = HandlebarsValues.field(holder, GoString.text(call.text(1)));
        GoValue found = field == null ? GoNil.ANY : HandlebarsValues.dereference(field);
        return found instanceof GoNil && call.count() == 3 ? call.value(2) : found;
    }
}
