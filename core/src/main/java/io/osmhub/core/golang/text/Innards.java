package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Value;
import java.util.List;

/** What an {@link io.osmhub.core.golang.Opaque} value's payload has in its unexported fields; only verbs such as {@code %d} show them. */
public interface Innards {
    /** One value for each field that the value's type names. */
    List<Value> fields();
}
