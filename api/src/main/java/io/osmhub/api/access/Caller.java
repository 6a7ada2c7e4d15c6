package io.osmhub.api.access;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, as the management cluster knows them.
 *
 * @param user never empty
 * @param uid empty when the management cluster gave none
 * @param extra what authenticators add; part of what is asked in reviews
 * @param sessionEnds end of the console session; null with a bearer token
 */
public record Caller(
        String user,
        String uid,
        List<String> groups,
        Map<String, List<String>> extra,
        @Nullable Instant sessionEnds) {
    public Caller {
        if (user.isEmpty()) {
            throw new IllegalArgumentException("a caller without a name");
        }
        groups = List.copyOf(groups);
        extra = extra.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
    }

    /** The same without what depends on how they signed in. */
    Caller identity() {
        return sessionEnds == null ? this : new Caller(user, uid, groups, extra, null);
    }

    /** The same in a session. */
    Caller until(Instant end) {
        return new Caller(user, uid, groups, extra, end);
    }
}
