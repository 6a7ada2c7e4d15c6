package io.osmhub.tenancy.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A successful response.
 *
 * @param serverTime the server's time, to the second; null if absent
 */
public record ApiResponse(int status, byte[] body, @Nullable Instant serverTime) {}
