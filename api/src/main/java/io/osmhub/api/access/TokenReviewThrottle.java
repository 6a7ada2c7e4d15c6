package io.osmhub.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Limits token reviews. All users may share a proxy's address, so an address does not identify a caller: previously accepted tokens are
 * always reviewed, recently rejected ones are rejected from the cache. Unseen tokens count against their address until accepted. A
 * new token that names a known user, for example a rotated one, has a separate quota, so that guessing from the same address does not
 * lock out that user. Thread-safe; bounded in all it stores.
 */
public final class TokenReviewThrottle {
    private static final int REMEMBERED = 10_000;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final TokenReviewAuthenticator tokenReviewAuthenticator;
    private final ReviewQuota firstQuota;
    private final ReviewQuota repeatedQuota;
    /** Accepted tokens, by digest. */
    private final Map<String, Boolean> acceptedTokens =
            Collections.synchronizedMap(new LeastRecentlyUsedMap<>(REMEMBERED));
    /** Subjects of accepted tokens, by digest. */
    private final Map<String, Boolean> knownSubjects =
            Collections.synchronizedMap(new LeastRecentlyUsedMap<>(REMEMBERED));

    /** Limits of one kind of unknown tokens. */
    private record ReviewQuota(CallerRateLimiter refusals, Semaphore permits) {
        ReviewQuota(CallerRateLimiter.CallerRateLimit limit, int permits, LongSupplier nanoTime) {
            this(new CallerRateLimiter(limit, nanoTime), new Semaphore(permits));
        }
    }

    public TokenReviewThrottle(TokenReviewAuthenticator tokenReviewAuthenticator, LongSupplier nanoTime) {
        this.tokenReviewAuthenticator = tokenReviewAuthenticator;
        this.firstQuota = new ReviewQuota(new CallerRateLimiter.CallerRateLimit(600, 100), 192, nanoTime);
        this.repeatedQuota = new ReviewQuota(new CallerRateLimiter.CallerRateLimit(60, 20), 64, nanoTime);
    }

    /**
     * The user of a token from an address; empty if the token is not valid. Blocks.
     *
     * @throws ApiProblem if the management cluster does not respond, or the review is skipped because too many tokens from the
     *     address were rejected
     */
    public Optional<Caller> authenticate(Sensitive token, String address) throws ApiProblem {
        String digest = TokenReviewAuthenticator.digest(token.reveal());
        boolean before = acceptedTokens.get(digest) != null;
        if (!before && !tokenReviewAuthenticator.isCached(token)) {
            return reviewUnknown(token, digest, address);
        }
        Optional<Caller> caller = tokenReviewAuthenticator.authenticate(token);
        if (before && caller.isEmpty()) {
            acceptedTokens.remove(digest);
        }
        return caller;
    }

    /**
     * The user of a session's token, which was accepted at sign-in.
     *
     * @throws ApiProblem if the management cluster does not respond
     */
    Optional<Caller> reauthenticate(Sensitive token) throws ApiProblem {
        return tokenReviewAuthenticator.authenticate(token);
    }

    private Optional<Caller> reviewUnknown(Sensitive token, String digest, String address) throws ApiProblem {
        String subject = named(token.reveal());
        boolean isKnown = !subject.isEmpty() && knownSubjects.get(subject) != null;
        ReviewQuota quota = isKnown ? repeatedQuota : firstQuota;
        String quotaKey = isKnown ? address + " " + subject : address;
        CallerRateLimiter.RateLimitDecision decision = quota.refusals().tryAcquire(quotaKey);
        if (!decision.allowed()) {
            throw ApiProblem.rateLimited(
                    "too many tokens from this address were rejected, so new ones are not reviewed; wait "
                            + decision.retryAfter().toSeconds() + " s",
                    decision.retryAfter());
        }
        boolean refused = false;
        boolean entered = quota.permits().tryAcquire();
        try {
            if (!entered) {
                throw ApiProblem.unavailable("too many token reviews in progress; wait 1 s", SOON);
            }
            Optional<Caller> caller = tokenReviewAuthenticator.authenticate(token);
            refused = caller.isEmpty();
            if (!refused) {
                acceptedTokens.put(digest, true);
                if (!subject.isEmpty()) {
                    knownSubjects.put(subject, true);
                }
            }
            return caller;
        } finally {
            if (entered) {
                quota.permits().release();
            }
            if (!refused) {
                quota.refusals().refund(quotaKey);
            }
        }
    }

    /** Digest of the unverified subject of a token; empty if it is not a JWT. */
    private static String named(String token) {
        JsonNode claims = TokenClaims.read(token);
        String subject = claims.path("sub").asText();
        return subject.isEmpty()
                ? ""
                : TokenReviewAuthenticator.digest(claims.path("iss").asText() + "\n" + subject);
    }
}
