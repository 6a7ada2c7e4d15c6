package io.osmhub.core.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.TimeTypes;
import io.osmhub.core.golang.wellknown.WellKnown;
import java.time.ZoneOffset;
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
    public interface Form extends Function<JsonNode, Value> {}

    private static final Type STRINGER = Type.named("main.stringer", Type.STRING)
            .with(new Type.Method(
                    "String",
                    Signatures.func("func() string"),
                    false,
                    (environment, arguments) -> Str.ofBytes("<" + ((Str) arguments.getFirst()).bytes() + ">")));

    /** Types leave out an error result, but this one is printed. */
    private static final Type FAILING =
            Type.named("func(string) (string, error)", Signatures.func("func(string) (string, error)"));

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

    /** The value as an {@code any} holds it: JSON's null is {@link Nil#ANY}. */
    public Value decode(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> Slice.of(list(node, this::decode));
            case OBJECT -> object(node);
            case BOOLEAN -> Bool.of(node.booleanValue());
            case NUMBER -> Flt.of(node.doubleValue());
            case STRING -> Str.of(node.textValue());
            case NULL, MISSING -> Nil.ANY;
            case BINARY, POJO -> throw new IllegalArgumentException("no JSON: " + node);
        };
    }

    private Value object(JsonNode node) {
        if (node.size() == 1) {
            String name = node.fieldNames().next();
            if (name.startsWith("$")) {
                Form form = forms.get(name);
                return form == null ? form(name, node.get(name)) : form.apply(node.get(name));
            }
        }
        return MapValue.of(entries(node, Type.STRING, this::decode));
    }

    private Value form(String name, JsonNode node) {
        return switch (name) {
            case "$int" -> integer(Type.INT, node);
            case "$int8" -> integer(Type.INT8, node);
            case "$int16" -> integer(Type.INT16, node);
            case "$int32" -> integer(Type.INT32, node);
            case "$int64" -> integer(Type.INT64, node);
            case "$uint" -> unsigned(Type.UINT, node);
            case "$uint8" -> unsigned(Type.UINT8, node);
            case "$uint16" -> unsigned(Type.UINT16, node);
            case "$uint32" -> unsigned(Type.UINT32, node);
            case "$uint64" -> unsigned(Type.UINT64, node);
            case "$float32" -> new Flt(Type.FLOAT32, Float.parseFloat(node.asText()));
            case "$float64" -> Flt.of(Double.parseDouble(node.asText().replace("Inf", "Infinity")));
            case "$bytes" -> bytes(node);
            case "$strings" -> new Slice(Type.STRINGS, list(node, CorpusValues::string));
            case "$ints" -> new Slice(Type.sliceOf(Type.INT), list(node, item -> integer(Type.INT, item)));
            case "$bools" -> new Slice(Type.sliceOf(Type.BOOL), list(node, CorpusValues::bool));
            case "$floats" -> new Slice(Type.sliceOf(Type.FLOAT64), list(node, item -> Flt.of(item.doubleValue())));
            case "$maps" -> new Slice(Type.sliceOf(Type.DICT), list(node, this::dict));
            case "$stringmap" -> map(Type.STRING, Type.STRING, entries(node, Type.STRING, CorpusValues::string));
            case "$boolmap" -> map(Type.STRING, Type.BOOL, entries(node, Type.STRING, CorpusValues::bool));
            case "$intvalues" ->
                map(Type.STRING, Type.INT, entries(node, Type.STRING, item -> integer(Type.INT, item)));
            case "$intkeys" -> map(Type.INT, Type.ANY, entries(node, Type.INT, this::decode));
            case "$anykeys" -> map(Type.ANY, Type.ANY, anyKeys(node));
            case "$struct" -> struct(node);
            case "$ptr" -> pointer(node);
            case "$nilptr" -> nilPointer(node.textValue());
            case "$nilslice" -> new Slice(Type.LIST, null);
            case "$nilmap" -> new MapValue(Type.DICT, null);
            case "$stringer" -> new Str(STRINGER, Str.bytes(node.textValue()));
            case "$func" -> function(node.textValue());
            case "$time" -> time(node.textValue());
            case "$duration" -> duration(node.textValue());
            case "$error" -> WellKnown.error(Str.bytes(node.textValue()));
            case "$ips" -> new Slice(WellKnown.IPS, list(node, item -> WellKnown.ip(item.textValue())));
            default -> throw new IllegalArgumentException("unknown form " + name);
        };
    }

    private static Value string(JsonNode node) {
        return Str.of(node.textValue());
    }

    private static Value bool(JsonNode node) {
        return Bool.of(node.booleanValue());
    }

    private static Value integer(Type type, JsonNode node) {
        return new Int(type, Long.parseLong(node.asText()));
    }

    private static Value unsigned(Type type, JsonNode node) {
        return new Int(type, Long.parseUnsignedLong(node.asText()));
    }

    private static Value bytes(JsonNode node) {
        List<Value> items = new ArrayList<>();
        for (byte item : Base64.getDecoder().decode(node.textValue())) {
            items.add(new Int(Type.UINT8, item & 0xFF));
        }
        return new Slice(Type.BYTES, items);
    }

    private Value dict(JsonNode node) {
        return decode(node) instanceof MapValue map ? map : new MapValue(Type.DICT, null);
    }

    private static Value map(Type key, Type elem, Map<Value, Value> entries) {
        return new MapValue(Type.mapOf(key, elem), entries);
    }

    private static List<Value> list(JsonNode node, Form item) {
        List<Value> items = new ArrayList<>();
        node.forEach(element -> items.add(item.apply(element)));
        return items;
    }

    private static Map<Value, Value> entries(JsonNode node, Type key, Form item) {
        Map<Value, Value> entries = new LinkedHashMap<>();
        node.properties()
                .forEach(entry -> entries.put(
                        key.equals(Type.INT) ? Int.of(Long.parseLong(entry.getKey())) : Str.of(entry.getKey()),
                        item.apply(entry.getValue())));
        return entries;
    }

    private Map<Value, Value> anyKeys(JsonNode node) {
        Map<Value, Value> entries = new LinkedHashMap<>();
        node.forEach(pair -> entries.put(decode(pair.get(0)), decode(pair.get(1))));
        return entries;
    }

    private Value struct(JsonNode node) {
        List<Type.Field> fields = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (JsonNode pair : node) {
            Value value = decode(pair.get(1));
            fields.add(new Type.Field(pair.get(0).textValue(), value.type()));
            values.add(value);
        }
        return Struct.of(Type.struct("", fields), values);
    }

    private Value pointer(JsonNode node) {
        return Pointer.to(decode(node));
    }

    private static Value nilPointer(String to) {
        return switch (to) {
            case "string" -> Pointer.nil(Type.STRING);
            case "int" -> Pointer.nil(Type.INT);
            case "map" -> Pointer.nil(Type.DICT);
            default -> throw new IllegalArgumentException("unknown nil pointer " + to);
        };
    }

    private static Value function(String name) {
        return switch (name) {
            case "add" ->
                new Func(
                        Signatures.func("func(int, int) int"),
                        (environment, arguments) -> Int.of(number(arguments.get(0)) + number(arguments.get(1))));
            case "join" ->
                new Func(
                        Signatures.func("func(string, ...string) string"),
                        (environment, arguments) -> Str.ofBytes(arguments.stream()
                                .skip(1)
                                .map(CorpusValues::byteString)
                                .collect(Collectors.joining(byteString(arguments.getFirst())))));
            case "fail" ->
                new Func(FAILING, (environment, arguments) -> {
                    throw new CallFailure(byteString(arguments.getFirst()));
                });
            case "panic" ->
                new Func(Signatures.func("func() string"), (environment, arguments) -> {
                    throw new CallFailure("boom");
                });
            default -> throw new IllegalArgumentException("unknown function " + name);
        };
    }

    private static Value time(String text) {
        try {
            return GoTime.parse(GoTime.RFC_3339_NANO, text, ZoneOffset.UTC).value();
        } catch (CallFailure failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static Value duration(String text) {
        try {
            return TimeTypes.duration(GoDuration.parse(Str.bytes(text)));
        } catch (CallFailure failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static long number(Value value) {
        return ((Int) value).value();
    }

    private static String byteString(Value value) {
        return ((Str) value).bytes();
    }
}
