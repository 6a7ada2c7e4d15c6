package io.osmhub.core.golang.text;

import io.osmhub.core.golang.GoValue;
import java.util.List;

/** The unexported fields of a {@link io.osmhub.core.golang.GoOpaque} value's payload; only verbs such as {@code %d} print them. */
public interface UnexportedFields {
    /** One value for each field of the value's type. */
    List<GoValue> fields();
}
