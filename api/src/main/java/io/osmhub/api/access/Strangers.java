package io.osmhub.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Who may have the management cluster asked about a token. Everybody may come from one address, that of a proxy, so an address alone
 * says little: a token that was accepted before is asked about again whatever others do, and one that was refused a moment ago is
 * refused from memory and costs nobody anything. What is left, tokens that were never seen, is counted for each address until it is
 * accepted. A new token that names somebody who was here before, as an hourly one does, is counted apart from those that name nobody,
 * so that who guesses at the same address does not keep them out. Safe for use by many threads; bounded in all it remembers.
 */
public final class Strangers {
    private static final int REMEMBERED = 10_000;
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TokenReviews reviews;
    private final Way first;
    private final Way again;
    /** Tokens that were accepted, by digest. */
    private final Remembered accepted = new Remembered();
    /** Whom accepted tokens named, by digest. */
    private final Remembered known = new Remembered();

    /** How one kind of unknown tokens comes in. */
    private record Way(RateLimits refusals, Semaphore places) {
        Way(RateLimits.Limit limit, int places, LongSupplier nanoTime) {
            this(new RateLimits(limit, nanoTime), new Semaphore(places));
        }
    }

    private static final class Remembered {
        private final Map<String, Boolean> digests = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > REMEMBERED;
            }
        };

        synchronized boolean has(String digest) {
            return digests.get(digest) != null;
        }

        synchronized void add(String digest) {
            digests.put(digest, true);
        }

        synchronized void remove(String digest) {
            digests.remove(digest);
        }
    }

    public Strangers(TokenReviews reviews, LongSupplier nanoTime) {
        this.reviews = reviews;
        this.first = new Way(new RateLimits.Limit(600, 100), 192, nanoTime);
        this.again = new Way(new RateLimits.Limit(60, 20), 64, nanoTime);
    }

    /**
     * Who holds a token that came from an address; empty when nobody does. Waits.
     *
     * @throws ApiProblem when the management cluster does not answer, or is not asked because too many tokens from there were refused
     */
    public Optional<Caller> caller(Sensitive token, String address) throws ApiProblem {
        String digest = TokenReviews.digest(token.reveal());
        boolean before = accepted.has(digest);
        if (!before && !reviews.isFree(token)) {
            return meet(token, digest, address);
        }
        Optional<Caller> caller = reviews.caller(token);
        if (before && caller.isEmpty()) {
            accepted.remove(digest);
        }
        return caller;
    }

    /**
     * Who holds the token of a session, which was accepted when it began.
     *
     * @throws ApiProblem when the management cluster does not answer
     */
    Optional<Caller> still(Sensitive token) throws ApiProblem {
        return reviews.caller(token);
    }

    private Optional<Caller> meet(Sensitive token, String digest, String address) throws ApiProblem {
        String named = named(token.reveal());
        boolean back = !named.isEmpty() && known.has(named);
        Way way = back ? again : first;
        String who = back ? address + " " + named : address;
        RateLimits.Verdict verdict = way.refusals().take(who);
        if (!verdict.allowed()) {
            throw ApiProblem.rateLimited(
                    "too many tokens from this address were refused, so another new one is not asked about now; wait "
                            + verdict.retryAfter().toSeconds() + " s",
                    verdict.retryAfter());
        }
        boolean refused = false;
        boolean entered = way.places().tryAcquire();
        try {
            if (!entered) {
                throw ApiProblem.unavailable("the hub has too many unknown tokens to ask about; wait 1 s", SOON);
            }
            Optional<Caller> caller = reviews.caller(token);
            refused = caller.isEmpty();
            if (!refused) {
                accepted.add(digest);
                if (!named.isEmpty()) {
                    known.add(named);
                }
            }
            return caller;
        } finally {
            if (entered) {
                way.places().release();
            }
            if (!refused) {
                way.refusals().giveBack(who);
            }
        }
    }

    /** Digest of whom a token names, which nothing has proven yet; empty for one that is no JWT. */
    private static String named(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return "";
        }
        try {
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            String subject = claims.path("sub").asText();
            return subject.isEmpty()
                    ? ""
                    : TokenReviews.digest(claims.path("iss").asText() + "\n" + subject);
        } catch (IllegalArgumentException | IOException notJson) {
            return "";
        }
    }
}
