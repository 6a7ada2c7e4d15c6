package io.osmhub.tenancy.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A successful answer.
 *
 * @param status of HTTP
 * @param serverTime what the server's clock showed, to the second; null when it did not say
 */
public record Reading(int status, byte[] body, @Nullable Instant serverTime) {}
