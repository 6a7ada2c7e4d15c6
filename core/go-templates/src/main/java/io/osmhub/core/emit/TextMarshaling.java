package io.osmhub.core.emit;

import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.golang.wellknown.GoIp;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import org.jspecify.annotations.Nullable;

/** The text that durations, addresses and versions have of themselves, which Go's encoders write instead of their structure. */
public final class TextMarshaling {
    /** A payload of an {@link GoOpaque} value that has a text of itself. */
    public interface TextMarshaler {
        String marshalText();
    }

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
            case GoOpaque opaque when opaque.payload() instanceof TextMarshaler payload -> payload.marshalText();
            default -> null;
        };
    }

    /** Decimal digits of an integer of any kind. */
    public static String formatDecimal(GoInt integer) {
        return integer.kind() == GoKind.UINT64 || integer.kind() == GoKind.UINT
                ? Long.toUnsignedString(integer.value())
                : Long.toString(integer.value());
    }
}
