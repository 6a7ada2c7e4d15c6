package io.osmhub.api.access;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated user, as reported by the management cluster.
 *
 * @param user never empty
 * @param uid empty if the management cluster reports none
 * @param extra attributes of authenticators, part of access reviews
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
            throw new IllegalArgumentException("caller has no name");
        }
        groups = List.copyOf(groups);
        extra = extra.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
    }

    /** The same identity, independent of the sign-in method. */
    Caller withoutSession() {
        return sessionEnds == null ? this : new Caller(user, uid, groups, extra, null);
    }

    /** The same identity in a session. */
    Caller withSessionEnd(Instant end) {
        return new Caller(user, uid, groups, extra, end);
    }
}
