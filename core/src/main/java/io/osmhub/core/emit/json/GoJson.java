package io.osmhub.core.emit.json;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
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
}
