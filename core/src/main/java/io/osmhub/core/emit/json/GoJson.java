package io.osmhub.core.emit.json;

import io.osmhub.core.emit.DecodeResult;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON for Go values. All text is bytes as chars, as in {@link io.osmhub.core.golang.GoValue.GoString}. */
public final class GoJson {
    private GoJson() {}

    /** Compact, HTML-safe: {@code json.Marshal}. */
    public static String encode(GoValue value) throws GoCallException {
        return encode(value, null);
    }

    /**
     * Compact, HTML-safe, charged to {@code environment}.
     *
     * @throws GoCallException for what JSON cannot say: functions, NaN, maps whose keys are not text
     */
    public static String encode(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return new JsonEncoder(environment, true, false).encode(value);
    }

    /** Indented by two spaces, HTML-safe. */
    public static String encodeIndented(GoValue value, @Nullable ExecutionEnvironment environment)
            throws GoCallException {
        return new JsonEncoder(environment, true, true).encode(value);
    }

    /** Compact, with {@code <}, {@code >} and {@code &} as they are. */
    public static String encodeRaw(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return new JsonEncoder(environment, false, false).encode(value);
    }

    /** Any JSON value as Go reads it into an {@code any}: all numbers are float64, the last of equal keys wins. */
    public static GoValue decode(String bytes) throws GoCallException {
        return decode(bytes, null);
    }

    /** The same, charged to {@code environment}. */
    public static GoValue decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        JsonDecoder.Result result = JsonDecoder.decode(bytes, environment);
        if (result.numberError() != null) {
            throw new GoCallException(result.numberError());
        }
        return result.value();
    }

    /** A JSON object as a {@code map[string]interface {}}; {@code null} gives a nil map. */
    public static DecodeResult decodeMap(String bytes, @Nullable ExecutionEnvironment environment) {
        return decodeInto(GoMap.of(new HashMap<>()), new GoMap(GoType.DICT, null), bytes, environment);
    }

    /** A JSON array as a {@code []interface {}}; {@code null} gives a nil list. */
    public static DecodeResult decodeList(String bytes, @Nullable ExecutionEnvironment environment) {
        return decodeInto(GoSlice.of(List.of()), new GoSlice(GoType.LIST, null), bytes, environment);
    }

    private static DecodeResult decodeInto(
            GoValue empty, GoValue nil, String bytes, @Nullable ExecutionEnvironment environment) {
        JsonDecoder.Result result;
        try {
            result = JsonDecoder.decode(bytes, environment);
        } catch (GoCallException malformed) {
            return new DecodeResult(empty, malformed.text());
        }
        if (result.numberError() == null && result.value() instanceof GoNil) {
            return new DecodeResult(nil, null);
        }
        if (result.value().type().equals(empty.type())) {
            return new DecodeResult(result.value(), result.numberError());
        }
        return new DecodeResult(
                empty, "json: cannot unmarshal " + result.topLevel() + " into Go value of type " + empty.type());
    }
}
