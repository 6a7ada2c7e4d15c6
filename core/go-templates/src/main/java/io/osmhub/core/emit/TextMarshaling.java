package io.osmhub.core.emit;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoTimeTypes;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import org.jspecify.annotations.Nullable;

/**
 * The text that times, durations and addresses have of themselves, in place of what their structure would give. In Go their
 * types' methods decide it, and not every format asks for the same method.
 */
public final class TextMarshaling {
    /** What the payload of an {@link GoOpaque} value may know of itself: the text that stands for it in every format. */
    public interface TextMarshaler {
        String marshalText();
    }

    private TextMarshaling() {}

    /**
     * The content of the JSON string that stands for the value; null for a value without its own text.
     *
     * @throws GoCallException for a time that has no four-digit year and for malformed addresses
     */
    public static @Nullable String marshalJson(GoValue value) throws GoCallException {
        return switch (value) {
            case GoStruct struct
            when struct.type().equals(WellKnownTypes.META_DURATION) -> GoDuration.text(WellKnownTypes.nanos(struct));
            case GoInt integer -> null; // a bare time.Duration is a number to JSON
            default -> {
                String text = marshalText(value);
                if (text != null && isTime(value) && (text.startsWith("-") || text.charAt(4) != '-')) {
                    throw new GoCallException("json: error calling MarshalJSON for type time.Time: "
                            + "Time.MarshalJSON: year outside of range [0,9999]");
                }
                yield text;
            }
        };
    }

    /** The text of a time, a duration, an address or a version in YAML and TOML; null for a value without its own text. */
    public static @Nullable String marshalText(GoValue value) {
        return switch (value) {
            case GoInt integer when integer.type().equals(GoTimeTypes.DURATION) -> GoDuration.text(integer.value());
            case GoSlice slice
            when slice.type().equals(WellKnownTypes.IP) -> slice.length() == 0 ? "" : WellKnownTypes.ipText(slice);
            case GoOpaque opaque when opaque.payload() instanceof TextMarshaler payload -> payload.marshalText();
            default -> isTime(value) ? GoTimeTypes.time(value).format(GoTime.RFC_3339_NANO) : null;
        };
    }

    public static boolean isTime(GoValue value) {
        return value.type().equals(GoTimeTypes.TIME);
    }

    /** Decimal digits of an integer of any kind. */
    public static String formatDecimal(GoInt integer) {
        GoKind kind = integer.kind();
        return kind == GoKind.UINT64 || kind == GoKind.UINT || kind == GoKind.UINTPTR
                ? Long.toUnsignedString(integer.value())
                : Long.toString(integer.value());
    }
}
