package io.osmhub.api.access;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Console sessions. A session keeps its token and authenticates it again repeatedly, so it ends with the token; its id is random. In
 * memory of this process only. Thread-safe.
 */
public final class SessionStore {
    /** Cookie name; browsers send one with this prefix only over TLS and only to the host that set it. */
    public static final String COOKIE = "__Host-osmhub";

    private static final int MOST = 10_000;
    /** Per caller, so that repeated sign-ins cannot evict the sessions of others. */
    private static final int MOST_EACH = 100;
    /** Rejected sign-ins being delayed; further ones are answered at once, independent of the result. */
    private static final int WAITING = 128;

    private static final int ID_BYTES = 32;
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final TokenReviewThrottle strangers;
    private final Duration life;
    private final Duration refusal;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    /** Oldest first. */
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    private final CallerRateLimiter signIns =
            new CallerRateLimiter(new CallerRateLimiter.CallerRateLimit(600, 100), System::nanoTime);
    private final Semaphore waiting = new Semaphore(WAITING);

    private record Session(Sensitive token, String user, Instant ends) {}

    /** A new session. {@code id} is a credential. */
    public record NewSession(Sensitive id, Caller caller, Duration life) {
        /** Value of {@code Set-Cookie}. */
        public String cookie() {
            return COOKIE + "=" + id.reveal() + "; Path=/; Max-Age=" + life.toSeconds()
                    + "; Secure; HttpOnly; SameSite=Strict";
        }
    }

    /** Value of {@code Set-Cookie} that deletes the cookie. */
    public static String endedCookie() {
        return COOKIE + "=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict";
    }

    public SessionStore(TokenReviewThrottle strangers, Duration life, Duration refusal, InstantSource clock) {
        this.strangers = strangers;
        this.life = life;
        this.refusal = refusal;
        this.clock = clock;
    }

    /**
     * Starts a session for the token's user; empty if the token is not valid. Blocks.
     *
     * @throws ApiProblem if the management cluster does not respond, or too many tokens from the address were rejected
     */
    public Optional<NewSession> startSession(Sensitive token, String address) throws ApiProblem {
        long beganAt = System.nanoTime();
        Optional<Caller> caller = strangers.authenticate(token, address);
        if (caller.isEmpty()) {
            await(beganAt);
            return Optional.empty();
        }
        CallerRateLimiter.RateLimitDecision verdict =
                signIns.tryAcquire(caller.get().user());
        if (!verdict.allowed()) {
            throw ApiProblem.rateLimited(verdict.retryAfter());
        }
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Instant ends = clock.instant().plus(life);
        synchronized (sessions) {
            sessions.values().removeIf(session -> session.ends().isBefore(clock.instant()));
            evictOldest(caller.get().user());
            sessions.put(id, new Session(token, caller.get().user(), ends));
        }
        return Optional.of(new NewSession(new Sensitive(id), caller.get().withSessionEnd(ends), life));
    }

    private void evictOldest(String user) {
        List<String> own = sessions.entrySet().stream()
                .filter(each -> each.getValue().user().equals(user))
                .map(Map.Entry::getKey)
                .toList();
        if (own.size() >= MOST_EACH) {
            sessions.remove(own.getFirst());
        } else if (sessions.size() >= MOST) {
            sessions.remove(sessions.keySet().iterator().next());
        }
    }

    private void await(long beganAt) throws ApiProblem {
        if (!waiting.tryAcquire()) {
            throw ApiProblem.rateLimited(
                    "too many rejected sign-ins; wait " + AGAIN.toSeconds() + " s and sign in again", AGAIN);
        }
        try {
            TimeUnit.NANOSECONDS.sleep(refusal.toNanos() - (System.nanoTime() - beganAt));
        } catch (InterruptedException e) {
            throw ReviewErrors.shuttingDown();
        } finally {
            waiting.release();
        }
    }

    /**
     * The signed-in caller; empty if the session is unknown or has ended, or its token has.
     *
     * @throws ApiProblem if the management cluster does not respond
     */
    public Optional<Caller> findCaller(String id) throws ApiProblem {
        Session session;
        synchronized (sessions) {
            session = sessions.get(id);
        }
        if (session == null) {
            return Optional.empty();
        }
        Optional<Caller> caller =
                session.ends().isAfter(clock.instant()) ? strangers.reauthenticate(session.token()) : Optional.empty();
        if (caller.isEmpty()) {
            endSession(id);
        }
        return caller.map(known -> known.withSessionEnd(session.ends()));
    }

    /** Ends a session if it exists. */
    public void endSession(String id) {
        synchronized (sessions) {
            sessions.remove(id);
        }
    }

    int size() {
        synchronized (sessions) {
            return sessions.size();
        }
    }
}
