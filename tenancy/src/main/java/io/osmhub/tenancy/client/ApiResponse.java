package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ErrorResponses;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A successful response.
 *
 * @param date the server's time as an HTTP date; null if absent
 */
public record ApiResponse(int status, byte[] body, @Nullable String date) {
    /** The server's time, to the second; null if absent or invalid. */
    public @Nullable Instant serverTime() {
        return ErrorResponses.date(date);
    }
}
