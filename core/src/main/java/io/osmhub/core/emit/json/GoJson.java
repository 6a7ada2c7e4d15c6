package io.osmhub.core.emit.json;

import io.osmhub.core.emit.Decoded;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON for Go values. All text is bytes as chars, as in {@link io.osmhub.core.golang.Str}. */
public final class GoJson {
    private GoJson() {}

    /** Compact, HTML-safe: {@code json.Marshal}. */
    public static String encode(Value value) throws CallFailure {
        return encode(value, null);
    }

    /**
     * Compact, HTML-safe, charged to {@code environment}.
     *
     * @throws CallFailure for what JSON cannot say: functions, NaN, maps whose keys are not text
     */
    public static String encode(Value value, @Nullable Environment environment) throws CallFailure {
        return new JsonEncoder(environment, true, false).encode(value);
    }

    /** Indented by two spaces, HTML-safe. */
    public static String encodeIndented(Value value, @Nullable Environment environment) throws CallFailure {
        return new JsonEncoder(environment, true, true).encode(value);
    }

    /** Compact, with {@code <}, {@code >} and {@code &} as they are. */
    public static String encodeRaw(Value value, @Nullable Environment environment) throws CallFailure {
        return new JsonEncoder(environment, false, false).encode(value);
    }

    /** Any JSON value as Go reads it into an {@code any}: all numbers are float64, the last of equal keys wins. */
    public static Value decode(String bytes) throws CallFailure {
        return decode(bytes, null);
    }

    /** The same, charged to {@code environment}. */
    public static Value decode(String bytes, @Nullable Environment environment) throws CallFailure {
        JsonDecoder.Result result = JsonDecoder.decode(bytes, environment);
        if (result.numberError() != null) {
            throw new CallFailure(result.numberError());
        }
        return result.value();
    }

    /** A JSON object as a {@code map[string]interface {}}; {@code null} gives a nil map. */
    public static Decoded decodeMap(String bytes, @Nullable Environment environment) {
        return decodeInto(MapValue.of(new HashMap<>()), new MapValue(Type.DICT, null), bytes, environment);
    }

    /** A JSON array as a {@code []interface {}}; {@code null} gives a nil list. */
    public static Decoded decodeList(String bytes, @Nullable Environment environment) {
        return decodeInto(Slice.of(List.of()), new Slice(Type.LIST, null), bytes, environment);
    }

    private static Decoded decodeInto(Value empty, Value nil, String bytes, @Nullable Environment environment) {
        JsonDecoder.Result result;
        try {
            result = JsonDecoder.decode(bytes, environment);
        } catch (CallFailure malformed) {
            return new Decoded(empty, malformed.text());
        }
        if (result.numberError() == null && result.value() instanceof Nil) {
            return new Decoded(nil, null);
        }
        if (result.value().type().equals(empty.type())) {
            return new Decoded(result.value(), result.numberError());
        }
        return new Decoded(
                empty, "json: cannot unmarshal " + result.topLevel() + " into Go value of type " + empty.type());
    }
}
