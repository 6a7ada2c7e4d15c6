package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.SessionKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterOutputStream;

/**
 * Console sessions. The cookie contains the token, sealed with a key that all replicas share, so a session is valid on every replica
 * and survives restarts. The token is authenticated again repeatedly, so a session ends with it. Thread-safe.
 *
 * <pre>
 *   sealed: session id, end, deflated token
 * </pre>
 */
public final class SessionCookies {
    /** Cookie name; browsers send one with this prefix only over TLS and only to the host that set it. */
    public static final String COOKIE = "__Host-osmhub";

    /** Rejected sign-ins being delayed; further ones are answered at once, independent of the result. */
    private static final int WAITING = 128;

    private static final Duration AGAIN = Duration.ofSeconds(2);
    private static final int ID_BYTES = 16;

    private final TokenReviewThrottle tokenReviewThrottle;
    private final SessionKeys sessionKeys;
    private final CookieSealer cookieSealer;
    private final Duration life;
    private final Duration refusal;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final CallerRateLimiter signInLimiter =
            new CallerRateLimiter(new CallerRateLimiter.CallerRateLimit(600, 100), System::nanoTime);
    private final Semaphore waiting = new Semaphore(WAITING);

    private record Session(String id, Instant ends, Sensitive token) {}

    /** A new session. {@code sealed} is a credential. */
    public record NewSession(Sensitive sealed, Caller caller, Duration life) {
        /** Value of {@code Set-Cookie}. */
        public String cookie() {
            return COOKIE + "=" + sealed.reveal() + "; Path=/; Max-Age=" + life.toSeconds()
                    + "; Secure; HttpOnly; SameSite=Strict";
        }
    }

    /** Value of {@code Set-Cookie} that deletes the cookie. */
    public static String endedCookie() {
        return COOKIE + "=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict";
    }

    public SessionCookies(
            TokenReviewThrottle tokenReviewThrottle,
            SessionKeys sessionKeys,
            Duration life,
            Duration refusal,
            InstantSource clock) {
        this.tokenReviewThrottle = tokenReviewThrottle;
        this.sessionKeys = sessionKeys;
        this.cookieSealer = new CookieSealer(sessionKeys, "osmhub console session");
        this.life = life;
        this.refusal = refusal;
        this.clock = clock;
    }

    /**
     * Starts a session for the token's user; empty if the token is not valid. Blocks.
     *
     * @throws ApiProblem if the keys are being loaded, the management cluster does not respond, too many tokens from the address were
     *     rejected, or the token is too long for a cookie
     */
    public Optional<NewSession> startSession(Sensitive token, String address) throws ApiProblem {
        cookieSealer.requireKeys();
        long beganAt = System.nanoTime();
        Optional<Caller> caller = tokenReviewThrottle.authenticate(token, address);
        if (caller.isEmpty()) {
            await(beganAt);
            return Optional.empty();
        }
        CallerRateLimiter.RateLimitDecision verdict =
                signInLimiter.tryAcquire(caller.get().user());
        if (!verdict.allowed()) {
            throw ApiProblem.rateLimited(verdict.retryAfter());
        }
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        Instant ends = clock.instant().plus(life).truncatedTo(ChronoUnit.SECONDS);
        String sealed = seal(new Session(HexFormat.of().formatHex(id), ends, token));
        if (sealed.length() > CookieSealer.LONGEST) {
            throw ApiProblem.tooLarge("the token has " + token.reveal().length()
                    + " characters, which is too long for a session cookie; use a token with fewer claims, for example "
                    + "groups, or a token of a ServiceAccount");
        }
        return Optional.of(new NewSession(new Sensitive(sealed), caller.get().withSessionEnd(ends), life));
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
     * The signed-in caller; empty if the cookie is not valid, or the session or its token has ended.
     *
     * @throws ApiProblem if the management cluster does not respond, or the key may be one that is being loaded
     */
    public Optional<Caller> findCaller(String cookie) throws ApiProblem {
        Optional<Session> session = open(cookie);
        if (session.isEmpty() && !cookie.isEmpty()) {
            cookieSealer.requireKeys();
        }
        if (session.isEmpty()) {
            return Optional.empty();
        }
        return tokenReviewThrottle
                .reauthenticate(session.get().token())
                .map(known -> known.withSessionEnd(session.get().ends()));
    }

    /** Ends a session if it exists: at once on this replica, about a second later on the others. */
    public void endSession(String cookie) {
        open(cookie).ifPresent(session -> sessionKeys.end(session.id(), session.ends()));
    }

    private String seal(Session session) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(HexFormat.of().parseHex(session.id()));
        content.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .putLong(session.ends().getEpochSecond())
                .array());
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(content)) {
            deflated.write(session.token().reveal().getBytes(US_ASCII));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return cookieSealer.seal(content.toByteArray());
    }

    /** Empty if it was not sealed by a replica of this hub, or has ended. */
    private Optional<Session> open(String cookie) {
        return cookieSealer
                .open(cookie)
                .map(SessionCookies::read)
                .filter(session -> session.ends().isAfter(clock.instant()) && !sessionKeys.isEnded(session.id()));
    }

    private static Session read(byte[] sealed) {
        ByteBuffer content = ByteBuffer.wrap(sealed);
        byte[] id = new byte[ID_BYTES];
        content.get(id);
        Instant ends = Instant.ofEpochSecond(content.getLong());
        ByteArrayOutputStream token = new ByteArrayOutputStream();
        try (InflaterOutputStream inflated = new InflaterOutputStream(token)) {
            inflated.write(sealed, content.position(), content.remaining());
        } catch (IOException impossible) {
            throw new UncheckedIOException("sealed by this class", impossible);
        }
        return new Session(HexFormat.of().formatHex(id), ends, new Sensitive(token.toString(US_ASCII)));
    }
}
