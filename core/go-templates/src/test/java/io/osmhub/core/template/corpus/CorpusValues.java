package io.osmhub.core.template.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.golang.wellknown.GoIp;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decodes the data of a case. Plain JSON stands for what Go's {@code encoding/json} makes of it; an object whose only key
 * begins with {@code $} stands for a value of another Go type. Immutable.
 */
public final class CorpusValues {
    /** Makes the value of one {@code $} form from what stands behind its name. */
    @FunctionalInterface
    public interface Form extends Function<JsonNode, GoValue> {}

    private static final GoType STRINGER = GoType.named("main.stringer", GoType.STRING)
            .addMethod(new GoType.Method(
                    "String",
                    GoType.function(GoType.STRING),
                    false,
                    (environment, arguments) ->
                            GoString.ofBytes("<" + ((GoString) arguments.getFirst()).bytes() + ">")));

    /** Types leave out an error result, but this one is printed. */
    private static final GoType FAILING =
            GoType.named("func(string) (string, error)", GoType.function(GoType.STRING, GoType.STRING));

    /** The data has a value of a type that templates of the hub never see. */
    public static final class UnsupportedValueException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String type;

        UnsupportedValueException(String type) {
            super("no values of type " + type);
            this.type = type;
        }

        /** The name of the Go type. */
        public String type() {
            return type;
        }
    }

    /** The type of {@code errors.New}'s results, by pointer. */
    private static final GoType ERROR_STRING = GoType.struct(
                    "errors.errorString", List.of(new GoType.Field("s", GoType.STRING)))
            .addMethod(new GoType.Method("Error", GoType.function(GoType.STRING), true, (_, arguments) -> {
                return arguments.getFirst() instanceof GoPointer pointer && pointer.target() instanceof GoStruct error
                        ? error.field(0)
                        : GoString.EMPTY;
            }));

    private final Map<String, Form> forms;

    private CorpusValues(Map<String, Form> forms) {
        this.forms = forms;
    }

    /** Knows every form but {@code $filesData}. */
    public static CorpusValues standard() {
        return new CorpusValues(Map.of());
    }

    /** Knows one form more; {@code name} begins with {@code $}. */
    public CorpusValues with(String name, Form form) {
        Map<String, Form> more = new HashMap<>(forms);
        more.put(name, form);
        return new CorpusValues(Map.copyOf(more));
    }

    /** The value as an {@code any} holds it: JSON's null is {@link GoNil#ANY}. */
    public GoValue decode(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> GoSlice.of(list(node, this::decode));
            case OBJECT -> object(node);
            case BOOLEAN -> GoBool.of(node.booleanValue());
            case NUMBER -> GoFloat.of(node.doubleValue());
            case STRING -> GoString.of(node.textValue());
            case NULL, MISSING -> GoNil.ANY;
            case BINARY, POJO -> throw new IllegalArgumentException("not JSON: " + node);
        };
    }

    private GoValue object(JsonNode node) {
        if (node.size() == 1) {
            String name = node.fieldNames().next();
            if (name.startsWith("$")) {
                Form form = forms.get(name);
                return form == null ? form(name, node.get(name)) : form.apply(node.get(name));
            }
        }
        return GoMap.of(entries(node, GoType.STRING, this::decode));
    }

    private GoValue form(String name, JsonNode node) {
        return switch (name) {
            case "$int" -> integer(GoType.INT, node);
            case "$int8" -> integer(GoType.INT8, node);
            case "$int16" -> integer(GoType.INT16, node);
            case "$int32" -> integer(GoType.INT32, node);
            case "$int64" -> integer(GoType.INT64, node);
            case "$uint" -> unsigned(GoType.UINT, node);
            case "$uint8" -> unsigned(GoType.UINT8, node);
            case "$uint16" -> unsigned(GoType.UINT16, node);
            case "$uint32" -> unsigned(GoType.UINT32, node);
            case "$uint64" -> unsigned(GoType.UINT64, node);
            case "$float32" -> new GoFloat(GoType.FLOAT32, Float.parseFloat(node.asText()));
            case "$float64" -> GoFloat.of(Double.parseDouble(node.asText().replace("Inf", "Infinity")));
            case "$bytes" -> bytes(node);
            case "$strings" -> new GoSlice(GoType.STRINGS, list(node, CorpusValues::string));
            case "$ints" -> new GoSlice(GoType.sliceOf(GoType.INT), list(node, item -> integer(GoType.INT, item)));
            case "$bools" -> new GoSlice(GoType.sliceOf(GoType.BOOL), list(node, CorpusValues::bool));
            case "$floats" ->
                new GoSlice(GoType.sliceOf(GoType.FLOAT64), list(node, item -> GoFloat.of(item.doubleValue())));
            case "$maps" -> new GoSlice(GoType.sliceOf(GoType.DICT), list(node, this::dict));
            case "$stringmap" -> map(GoType.STRING, GoType.STRING, entries(node, GoType.STRING, CorpusValues::string));
            case "$boolmap" -> map(GoType.STRING, GoType.BOOL, entries(node, GoType.STRING, CorpusValues::bool));
            case "$intvalues" ->
                map(GoType.STRING, GoType.INT, entries(node, GoType.STRING, item -> integer(GoType.INT, item)));
            case "$intkeys" -> map(GoType.INT, GoType.ANY, entries(node, GoType.INT, this::decode));
            case "$anykeys" -> map(GoType.ANY, GoType.ANY, anyKeys(node));
            case "$struct" -> struct(node);
            case "$ptr" -> pointer(node);
            case "$nilptr" -> nilPointer(node.textValue());
            case "$nilslice" -> new GoSlice(GoType.LIST, null);
            case "$nilmap" -> new GoMap(GoType.DICT, null);
            case "$stringer" -> new GoString(STRINGER, GoString.bytes(node.textValue()));
            case "$func" -> function(node.textValue());
            case "$time" -> throw new UnsupportedValueException("time.Time");
            case "$duration" -> duration(node.textValue());
            case "$error" -> error(GoString.bytes(node.textValue()));
            case "$ips" -> new GoSlice(GoIp.LIST, list(node, item -> GoIp.parse(item.textValue())));
            default -> throw new IllegalArgumentException("unknown form " + name);
        };
    }

    private static GoValue string(JsonNode node) {
        return GoString.of(node.textValue());
    }

    private static GoValue bool(JsonNode node) {
        return GoBool.of(node.booleanValue());
    }

    private static GoValue integer(GoType type, JsonNode node) {
        return new GoInt(type, Long.parseLong(node.asText()));
    }

    private static GoValue unsigned(GoType type, JsonNode node) {
        return new GoInt(type, Long.parseUnsignedLong(node.asText()));
    }

    private static GoValue bytes(JsonNode node) {
        List<GoValue> items = new ArrayList<>();
        for (byte item : Base64.getDecoder().decode(node.textValue())) {
            items.add(new GoInt(GoType.UINT8, item & 0xFF));
        }
        return new GoSlice(GoType.BYTES, items);
    }

    private GoValue dict(JsonNode node) {
        return decode(node) instanceof GoMap map ? map : new GoMap(GoType.DICT, null);
    }

    private static GoValue map(GoType key, GoType elem, Map<GoValue, GoValue> entries) {
        return new GoMap(GoType.mapOf(key, elem), entries);
    }

    private static List<GoValue> list(JsonNode node, Form item) {
        List<GoValue> items = new ArrayList<>();
        node.forEach(element -> items.add(item.apply(element)));
        return items;
    }

    private static Map<GoValue, GoValue> entries(JsonNode node, GoType key, Form item) {
        Map<GoValue, GoValue> entries = new LinkedHashMap<>();
        node.properties()
                .forEach(entry -> entries.put(
                        key.equals(GoType.INT) ? GoInt.of(Long.parseLong(entry.getKey())) : GoString.of(entry.getKey()),
                        item.apply(entry.getValue())));
        return entries;
    }

    private Map<GoValue, GoValue> anyKeys(JsonNode node) {
        Map<GoValue, GoValue> entries = new LinkedHashMap<>();
        node.forEach(pair -> entries.put(decode(pair.get(0)), decode(pair.get(1))));
        return entries;
    }

    private GoValue struct(JsonNode node) {
        List<GoType.Field> fields = new ArrayList<>();
        List<GoValue> values = new ArrayList<>();
        for (JsonNode pair : node) {
            GoValue value = decode(pair.get(1));
            fields.add(new GoType.Field(pair.get(0).textValue(), value.type()));
            values.add(value);
        }
        return GoStruct.of(GoType.struct("", fields), values);
    }

    private GoValue pointer(JsonNode node) {
        return GoPointer.to(decode(node));
    }

    private static GoValue nilPointer(String to) {
        return switch (to) {
            case "string" -> GoPointer.nil(GoType.STRING);
            case "int" -> GoPointer.nil(GoType.INT);
            case "map" -> GoPointer.nil(GoType.DICT);
            default -> throw new IllegalArgumentException("unknown nil pointer " + to);
        };
    }

    private static GoValue function(String name) {
        return switch (name) {
            case "add" ->
                new GoFunction(
                        GoType.function(GoType.INT, GoType.INT, GoType.INT),
                        (environment, arguments) -> GoInt.of(number(arguments.get(0)) + number(arguments.get(1))));
            case "join" ->
                new GoFunction(
                        GoType.variadic(GoType.STRING, GoType.STRING, GoType.STRING),
                        (environment, arguments) -> GoString.ofBytes(arguments.stream()
                                .skip(1)
                                .map(CorpusValues::byteString)
                                .collect(Collectors.joining(byteString(arguments.getFirst())))));
            case "fail" ->
                new GoFunction(FAILING, (environment, arguments) -> {
                    throw new GoCallException(byteString(arguments.getFirst()));
                });
            case "panic" ->
                new GoFunction(GoType.function(GoType.STRING), (environment, arguments) -> {
                    throw new GoCallException("boom");
                });
            default -> throw new IllegalArgumentException("unknown function " + name);
        };
    }

    private static GoValue error(String bytes) {
        return GoPointer.to(GoStruct.of(ERROR_STRING, List.of(GoString.ofBytes(bytes))));
    }

    private static GoValue duration(String text) {
        try {
            return GoDuration.of(GoDuration.parse(GoString.bytes(text)));
        } catch (GoCallException failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static long number(GoValue value) {
        return ((GoInt) value).value();
    }

    private static String byteString(GoValue value) {
        return ((GoString) value).bytes();
    }
}
