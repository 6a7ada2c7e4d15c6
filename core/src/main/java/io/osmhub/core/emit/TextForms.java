package io.osmhub.core.emit;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.TimeTypes;
import io.osmhub.core.golang.wellknown.WellKnown;
import org.jspecify.annotations.Nullable;

/**
 * The text that times, durations and addresses have of themselves, in place of what their structure would give. In Go their
 * types' methods decide it, and not every format asks for the same method.
 */
public final class TextForms {
    /** What the payload of an {@link Opaque} value may know of itself: the text that stands for it in every format. */
    public interface OwnText {
        String ownText();
    }

    private TextForms() {}

    /**
     * The content of the JSON string that stands for the value; null for a value that has no text of its own.
     *
     * @throws CallFailure for a time that has no four-digit year and for malformed addresses
     */
    public static @Nullable String json(Value value) throws CallFailure {
        return switch (value) {
            case Struct struct
            when struct.type().equals(WellKnown.META_DURATION) -> GoDuration.text(WellKnown.nanos(struct));
            case Int integer -> null; // a bare time.Duration is a number to JSON
            default -> {
                String text = text(value);
                if (text != null && isTime(value) && (text.startsWith("-") || text.charAt(4) != '-')) {
                    throw new CallFailure("json: error calling MarshalJSON for type time.Time: "
                            + "Time.MarshalJSON: year outside of range [0,9999]");
                }
                yield text;
            }
        };
    }

    /** The text of a time, a duration, an address or a version in YAML and TOML; null for a value that has no text of its own. */
    public static @Nullable String text(Value value) {
        return switch (value) {
            case Int integer when integer.type().equals(TimeTypes.DURATION) -> GoDuration.text(integer.value());
            case Slice slice
            when slice.type().equals(WellKnown.IP) -> slice.length() == 0 ? "" : WellKnown.ipText(slice);
            case Opaque opaque when opaque.payload() instanceof OwnText payload -> payload.ownText();
            default -> isTime(value) ? TimeTypes.time(value).format(GoTime.RFC_3339_NANO) : null;
        };
    }

    public static boolean isTime(Value value) {
        return value.type().equals(TimeTypes.TIME);
    }

    /** Decimal digits of an integer of any kind. */
    public static String decimal(Int integer) {
        Kind kind = integer.kind();
        return kind == Kind.UINT64 || kind == Kind.UINT || kind == Kind.UINTPTR
                ? Long.toUnsignedString(integer.value())
                : Long.toString(integer.value());
    }
}
