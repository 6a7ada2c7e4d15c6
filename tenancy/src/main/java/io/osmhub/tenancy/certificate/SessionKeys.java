package io.osmhub.tenancy.certificate;

import io.osmhub.core.model.Sha256;
import io.osmhub.tenancy.certificate.SharedSecret.SecretContent;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key that seals console sessions, and the sessions that ended early, in a Secret shared by all replicas: sessions survive restarts
 * and are valid on every replica. Until the Secret is loaded, a key of this process is used. Thread-safe.
 *
 * <p>Deleting the Secret replaces the key, and so ends all sessions on all replicas that watch it, also if it cannot be created again.
 * A replica that cannot read it continues with the key that it has.
 */
public final class SessionKeys {
    /** Name of the Secret. */
    public static final String SECRET = "osm-hub-session-keys";

    private static final Logger LOG = LoggerFactory.getLogger(SessionKeys.class);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofMinutes(1));
    /** Interval at which sessions that would have ended by now are removed. */
    private static final Duration CLEANED = Duration.ofHours(1);
    /** About 100 KiB; a Secret has at most 1 MiB. */
    private static final int MOST_ENDED = 2_000;

    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;
    private static final String KEY = "key";
    private static final String ENDED = "ended";

    private final SecureRandom random;
    private final RuntimeContext runtimeContext;
    private final SharedSecret sharedSecret;
    private final RenewalLoop renewalLoop;
    /** Ended on this replica and not stored yet. */
    private final Map<String, Instant> endedHere = new ConcurrentHashMap<>();

    private volatile SessionSecret sessionSecret;
    private volatile boolean loaded;
    private volatile boolean failed;

    /** @param id short and public, part of what it seals */
    public record SessionKey(String id, SecretKey key) {
        static SessionKey of(byte[] key) {
            return new SessionKey(
                    Sha256.hex(Base64.getEncoder().encodeToString(key), ID_BYTES), new SecretKeySpec(key, "AES"));
        }
    }

    /**
     * Content of the Secret.
     *
     * @param ended sessions that ended early, with the time at which they would have ended
     */
    private record SessionSecret(SessionKey key, Map<String, Instant> ended) {
        /** @param otherwise the key if the Secret has no usable one */
        static SessionSecret read(SecretContent stored, SessionKey otherwise) {
            SessionKey key = otherwise;
            Map<String, Instant> ended = new LinkedHashMap<>();
            try {
                byte[] bytes = Base64.getDecoder().decode(stored.value(KEY));
                key = bytes.length == KEY_BYTES ? SessionKey.of(bytes) : otherwise;
                stored.value(ENDED)
                        .lines()
                        .map(line -> line.split(" ", 2))
                        .forEach(line -> ended.put(line[1], Instant.parse(line[0])));
            } catch (DateTimeException | IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
                LOG.warn("Secret {} is damaged, replacing it", SECRET);
            }
            return new SessionSecret(key, ended);
        }

        Map<String, String> data() {
            Map<String, String> data = new TreeMap<>();
            data.put(KEY, Base64.getEncoder().encodeToString(key.key().getEncoded()));
            if (!ended.isEmpty()) {
                data.put(
                        ENDED,
                        ended.entrySet().stream()
                                .map(session -> session.getValue() + " " + session.getKey() + "\n")
                                .collect(Collectors.joining()));
            }
            return data;
        }
    }

    /**
     * A key that is not shared yet.
     *
     * @param namespace of the Secret: the hub's own
     */
    public SessionKeys(KubeApi management, String namespace, SecureRandom random, RuntimeContext runtimeContext) {
        this.random = random;
        this.runtimeContext = runtimeContext;
        this.sessionSecret = new SessionSecret(generate(), Map.of());
        this.renewalLoop = new RenewalLoop(
                "Session key renewal",
                () -> RETRY,
                () -> renew(),
                (cause, inARow) -> onRenewalFailed(cause, inARow),
                runtimeContext);
        this.sharedSecret = new SharedSecret(
                management, namespace, SECRET, () -> renewalLoop.wake(), cause -> report(cause), runtimeContext);
    }

    public void start() {
        sharedSecret.start();
    }

    /** Stores sign-outs that are not stored yet. Blocks for a request to the management cluster if there are any. */
    public void stop() {
        renewalLoop.stop();
        String cause = "the Secret cannot be read";
        try {
            if (!endedHere.isEmpty()) {
                renew();
            }
        } catch (ApiFailure e) {
            cause = e.text();
        }
        if (!endedHere.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("cause", cause)
                    .log("Storing {} ended sessions failed; they are valid until their end", endedHere.size());
        }
        sharedSecret.stop();
    }

    /** Whether the key of the other replicas is being loaded. */
    public boolean isLoading() {
        return !loaded && !failed;
    }

    /** The key for new sessions. */
    public SessionKey sealing() {
        return sessionSecret.key();
    }

    /** The key with this id; empty if it is another. */
    public Optional<SessionKey> find(String id) {
        return Optional.of(sealing()).filter(key -> key.id().equals(id));
    }

    /** Ends a session early: on this replica at once, on the others when the Secret is stored. Must not block. */
    public void end(String session, Instant until) {
        if (endedHere.size() < MOST_ENDED) {
            endedHere.put(session, until);
        } else {
            onForgotten(1);
        }
        renewalLoop.wake();
    }

    public boolean isEnded(String session) {
        return endedHere.containsKey(session) || sessionSecret.ended().containsKey(session);
    }

    /** Number of sessions that ended early and are remembered. */
    public int endedSessions() {
        Set<String> all = new HashSet<>(sessionSecret.ended().keySet());
        all.addAll(endedHere.keySet());
        return all.size();
    }

    private static void onForgotten(int sessions) {
        LOG.warn(
                "{} ended sessions are valid until their end: more than {} ended early; delete Secret {} to end all",
                sessions,
                MOST_ENDED,
                SECRET);
    }

    /** Replicas store at the same time; all but one fail, and read what the other stored. */
    private void onRenewalFailed(String cause, int inARow) {
        if (inARow > 1) {
            report(cause);
        }
    }

    private void report(String cause) {
        if (!failed) {
            failed = true;
            LOG.atWarn()
                    .addKeyValue("cause", cause)
                    .log("Reading or storing Secret {} failed; console sessions are bound to this replica", SECRET);
        }
    }

    /** Delay of the next run unless a change triggers it earlier; null if nothing is due. */
    private synchronized @Nullable Duration renew() throws ApiFailure {
        if (!sharedSecret.isSynced()) {
            return null;
        }
        SecretContent stored = sharedSecret.find();
        if (stored == null && loaded) {
            sessionSecret = new SessionSecret(generate(), Map.of());
            loaded = false;
        }
        // A new Secret gets the key of this process.
        SessionSecret read = stored == null ? sessionSecret : SessionSecret.read(stored, sessionSecret.key());
        SessionSecret wanted = new SessionSecret(read.key(), withEndedHere(read.ended()));
        Map<String, String> data = wanted.data();
        if (stored == null || !data.equals(stored.data())) {
            if (stored != null) {
                sessionSecret = read;
                loaded = true;
            }
            sharedSecret.store("Opaque", data, stored);
        }
        sessionSecret = wanted;
        loaded = true;
        failed = false;
        endedHere.keySet().removeAll(wanted.ended().keySet());
        return wanted.ended().isEmpty() ? null : CLEANED;
    }

    /** What still has to be remembered. */
    private Map<String, Instant> withEndedHere(Map<String, Instant> stored) {
        Instant now = runtimeContext.scheduler().now();
        Map<String, Instant> ended = new LinkedHashMap<>(stored);
        ended.putAll(endedHere);
        ended.values().removeIf(end -> !end.isAfter(now));
        endedHere.values().removeIf(end -> !end.isAfter(now));
        int forgotten = ended.size() - MOST_ENDED;
        if (forgotten > 0) {
            List.copyOf(ended.keySet()).subList(0, forgotten).forEach(ended::remove);
            onForgotten(forgotten);
        }
        return ended;
    }

    private SessionKey generate() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return SessionKey.of(key);
    }
}
