package io.osmhub.api.certificate;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A serving certificate with what webhooks need besides: what API servers are to trust, and until when all that holds. Safe for use by
 * many threads.
 */
public interface WebhookCertificate extends ServingCertificate {
    /** Begins to keep it up to date; returns at once. */
    void start();

    /** Nothing is renewed afterwards; what is shown goes on being shown. */
    void stop();

    /** Whether there is one that is valid now. */
    boolean isLoaded();

    /** Authorities that callers are to trust, PEM; empty when they know them without being told; null while none are known. */
    @Nullable String authorities();

    /** Ends of validity, by {@code ca} and {@code leaf}, as far as they are known. */
    Map<String, Instant> ends();

    /** What people are to know: why it is not kept up to date; null while it is. */
    @Nullable String problem();
}
