package io.osmhub.core.plan;

import io.osmhub.core.problem.ProblemObject;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An object under a name of the hub, as found, from any writer. UID and version are the preconditions of writes. */
public sealed interface StoredObject permits StoredSecret, StoredToken, StoredGrant, StoredConfig {
    ProblemObject describe();

    String name();

    String uid();

    String resourceVersion();

    SortedMap<String, String> annotations();

    /** Field manager of the latest write; null if unknown. */
    @Nullable String lastWriter();
}
