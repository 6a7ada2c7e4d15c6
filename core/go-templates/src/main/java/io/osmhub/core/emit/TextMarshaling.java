package io.osmhub.core.emit;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.golang.wellknown.GoIp;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text that durations, addresses and versions have of themselves, which Go's encoders write instead of their structure. */
public final class TextMarshaling {
    private static final String MARSHAL_TEXT = "MarshalText";

    private TextMarshaling() {}

    /** The content of the JSON string that stands for the value; null for a value without its own text. */
    public static @Nullable String marshalJson(GoValue value) {
        return switch (value) {
            case GoStruct struct
            when struct.type().equals(WellKnownTypes.META_DURATION) -> GoDuration.text(WellKnownTypes.nanos(struct));
            case GoInt integer -> null; // a bare time.Duration is a number to JSON
            default -> marshalText(value);
        };
    }

    /** The text of the value in YAML and TOML; null for a value without its own text. */
    public static @Nullable String marshalText(GoValue value) {
        return switch (value) {
            case GoInt integer when integer.type().equals(GoDuration.TYPE) -> GoDuration.text(integer.value());
            case GoSlice slice when slice.type().equals(GoIp.TYPE) -> slice.length() == 0 ? "" : GoIp.text(slice);
            case GoStruct struct when struct.type().method(MARSHAL_TEXT) != null -> marshalText(struct);
            default -> null;
        };
    }

    /** By the method of the struct's type, which has no errors and no arguments. */
    private static String marshalText(GoStruct struct) {
        GoType.Method method = Objects.requireNonNull(struct.type().method(MARSHAL_TEXT));
        try {
            GoValue bytes = method.code().call(ExecutionEnvironment.UNLIMITED, List.of(struct));
            StringBuilder text = new StringBuilder();
            ((GoSlice) bytes).elements().forEach(item -> text.append((char) ((GoInt) item).value()));
            return text.toString();
        } catch (GoCallException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Decimal digits of an integer of any kind. */
    public static String formatDecimal(GoInt integer) {
        return integer.kind() == GoKind.UINT64 || integer.kind() == GoKind.UINT
                ? Long.toUnsignedString(integer.value())
                : Long.toString(integer.value());
    }
}
