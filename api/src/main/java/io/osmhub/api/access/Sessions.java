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
 * Sessions of the console. A session remembers the token it began with and asks again and again who holds it, so that it ends with the
 * token; its id says nothing. They live in this process only. Safe for use by many threads.
 */
public final class Sessions {
    /** Name of the cookie; browsers send one with this prefix only over TLS and only to the host that set it. */
    public static final String COOKIE = "__Host-osmhub";

    private static final int MOST = 10_000;
    /** Of one caller, so that nobody pushes out the others' by signing in again and again. */
    private static final int MOST_EACH = 100;
    /** Refused sign-ins that wait; further ones are answered at once, but not by what was found. */
    private static final int WAITING = 128;

    private static final int ID_BYTES = 32;
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final Strangers strangers;
    private final Duration life;
    private final Duration refusal;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    /** The oldest first. */
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    private final RateLimits signIns = new RateLimits(new RateLimits.Limit(600, 100), System::nanoTime);
    private final Semaphore waiting = new Semaphore(WAITING);

    private record Session(Sensitive token, String user, Instant ends) {}

    /** A session that began. {@code id} is a credential itself. */
    public record Begun(Sensitive id, Caller caller, Duration life) {
        /** Value of {@code Set-Cookie}. */
        public String cookie() {
            return COOKIE + "=" + id.reveal() + "; Path=/; Max-Age=" + life.toSeconds()
                    + "; Secure; HttpOnly; SameSite=Strict";
        }
    }

    /** Value of {@code Set-Cookie} that takes the cookie away. */
    public static String endedCookie() {
        return COOKIE + "=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict";
    }

    /**
     * No sessions yet.
     *
     * @param life of a session, however much it is used
     * @param refusal how long a sign-in takes at least that is refused, so that its duration does not tell the cause
     */
    public Sessions(Strangers strangers, Duration life, Duration refusal, InstantSource clock) {
        this.strangers = strangers;
        this.life = life;
        this.refusal = refusal;
        this.clock = clock;
    }

    /**
     * Begins a session for who holds the token; empty when nobody does. Waits.
     *
     * @throws ApiProblem when the management cluster does not answer, or too many tokens from the address were refused
     */
    public Optional<Begun> begin(Sensitive token, String address) throws ApiProblem {
        long beganAt = System.nanoTime();
        Optional<Caller> caller = strangers.caller(token, address);
        if (caller.isEmpty()) {
            await(beganAt);
            return Optional.empty();
        }
        RateLimits.Verdict verdict = signIns.take(caller.get().user());
        if (!verdict.allowed()) {
            throw ApiProblem.rateLimited(verdict.retryAfter());
        }
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Instant ends = clock.instant().plus(life);
        synchronized (sessions) {
            sessions.values().removeIf(session -> session.ends().isBefore(clock.instant()));
            makeRoom(caller.get().user());
            sessions.put(id, new Session(token, caller.get().user(), ends));
        }
        return Optional.of(new Begun(new Sensitive(id), caller.get().until(ends), life));
    }

    private void makeRoom(String user) {
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
                    "too many sign-ins are refused at once; wait " + AGAIN.toSeconds() + " s and sign in again", AGAIN);
        }
        try {
            TimeUnit.NANOSECONDS.sleep(refusal.toNanos() - (System.nanoTime() - beganAt));
        } catch (InterruptedException e) {
            throw Unavailable.stopping();
        } finally {
            waiting.release();
        }
    }

    /**
     * Who is signed in; empty when the session is not known, is over, or its token has ended.
     *
     * @throws ApiProblem when the management cluster does not answer
     */
    public Optional<Caller> caller(String id) throws ApiProblem {
        Session session;
        synchronized (sessions) {
            session = sessions.get(id);
        }
        if (session == null) {
            return Optional.empty();
        }
        Optional<Caller> caller =
                session.ends().isAfter(clock.instant()) ? strangers.still(session.token()) : Optional.empty();
        if (caller.isEmpty()) {
            end(id);
        }
        return caller.map(known -> known.until(session.ends()));
    }

    /** Ends a session, if there is one. */
    public void end(String id) {
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
