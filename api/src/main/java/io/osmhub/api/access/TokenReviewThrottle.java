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

    private final TokenReviewAuthenticator reviews;
    private final ReviewQuota first;
    private final ReviewQuota again;
    /** Accepted tokens, by digest. */
    private final Map<String, Boolean> accepted = Collections.synchronizedMap(new LeastRecentlyUsedMap<>(REMEMBERED));
    /** Subjects of accepted tokens, by digest. */
    private final Map<String, Boolean> known = Collections.synchronizedMap(new LeastRecentlyUsedMap<>(REMEMBERED));

    /** Limits of one kind of unknown tokens. */
    private record ReviewQuota(CallerRateLimiter refusals, Semaphore places) {
        ReviewQuota(CallerRateLimiter.CallerRateLimit limit, int places, LongSupplier nanoTime) {
            this(new CallerRateLimiter(limit, nanoTime), new Semaphore(places));
        }
    }

    public TokenReviewThrottle(TokenReviewAuthenticator reviews, LongSupplier nanoTime) {
        this.reviews = reviews;
        this.first = new ReviewQuota(new CallerRateLimiter.CallerRateLimit(600, 100), 192, nanoTime);
        this.again = new ReviewQuota(new CallerRateLimiter.CallerRateLimit(60, 20), 64, nanoTime);
    }

    /**
     * The user of a token from an address; empty if the token is not valid. Blocks.
     *
     * @throws ApiProblem if the management cluster does not respond, or the review is skipped because too many tokens from the
     *     address were rejected
     */
    public Optional<Caller> authenticate(Sensitive token, String address) throws ApiProblem {
        String digest = TokenReviewAuthenticator.digest(token.reveal());
        boolean before = accepted.get(digest) != null;
        if (!before && !reviews.isCached(token)) {
            return reviewUnknown(token, digest, address);
        }
        Optional<Caller> caller = reviews.authenticate(token);
        if (before && caller.isEmpty()) {
            accepted.remove(digest);
        }
        return caller;
    }

    /**
     * The user of a session's token, which was accepted at sign-in.
     *
     * @throws ApiProblem if the management cluster does not respond
     */
    Optional<Caller> reauthenticate(Sensitive token) throws ApiProblem {
        return reviews.authenticate(token);
    }

    private Optional<Caller> reviewUnknown(Sensitive token, String digest, String address) throws ApiProblem {
        String named = named(token.reveal());
        boolean back = !named.isEmpty() && known.get(named) != null;
        ReviewQuota way = back ? again : first;
        String who = back ? address + " " + named : address;
        CallerRateLimiter.RateLimitDecision verdict = way.refusals().tryAcquire(who);
        if (!verdict.allowed()) {
            throw ApiProblem.rateLimited(
                    "too many tokens from this address were rejected, so new ones are not reviewed; wait "
                            + verdict.retryAfter().toSeconds() + " s",
                    verdict.retryAfter());
        }
        boolean refused = false;
        boolean entered = way.places().tryAcquire();
        try {
            if (!entered) {
                throw ApiProblem.unavailable("too many token reviews in progress; wait 1 s", SOON);
            }
            Optional<Caller> caller = reviews.authenticate(token);
            refused = caller.isEmpty();
            if (!refused) {
                accepted.put(digest, true);
                if (!named.isEmpty()) {
                    known.put(named, true);
                }
            }
            return caller;
        } finally {
            if (entered) {
                way.places().release();
            }
            if (!refused) {
                way.refusals().refund(who);
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
