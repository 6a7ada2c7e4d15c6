package io.osmhub.core.emit;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Value;
import org.jspecify.annotations.Nullable;

/** The text that some values have of themselves: what their Go types answer to {@code MarshalText} or {@code MarshalJSON}. */
public final class TextForms {
    private TextForms() {}

    /** The content of the JSON string that stands for the value; null for a value that has no text of its own. */
    public static @Nullable String json(Value value) throws CallFailure {
        return null;
    }

    /** The text of a time, a duration or an address; null for a value that has no text of its own. */
    public static @Nullable String text(Value value) throws CallFailure {
        return null;
    }

    /** A time as TOML writes it: a local one, as only TOML documents have them, without a zone. */
    public static String tomlTime(Value value) throws CallFailure {
        return String.valueOf(text(value));
    }

    public static boolean isTime(Value value) {
        return value.type().name().equals("time.Time");
    }

    /** Decimal digits of an integer of any kind. */
    public static String decimal(Int integer) {
        Kind kind = integer.kind();
        return kind == Kind.UINT64 || kind == Kind.UINT || kind == Kind.UINTPTR
                ? Long.toUnsignedString(integer.value())
                : Long.toString(integer.value());
    }
}
