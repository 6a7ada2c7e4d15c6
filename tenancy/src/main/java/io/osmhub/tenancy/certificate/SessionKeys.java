package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that seal console sessions, and the sessions that ended early, in a Secret shared by all replicas: sessions survive restarts
 * and are valid on every replica. Until the Secret is loaded, a key of this process is used. Thread-safe.
 *
 * <pre>
 *   stored ──(a minute, until all replicas have it)──► seals for a day ──► opens until its last session has ended ──► removed
 * </pre>
 *
 * Deleting the Secret ends all sessions on all replicas that watch it, also if it cannot be created again. A replica that cannot
 * read it continues with the keys that it has, and renews its own daily.
 */
public final class SessionKeys {
    /** Name of the Secret. */
    public static final String SECRET = "osm-hub-session-keys";

    private static final Logger LOG = LoggerFactory.getLogger(SessionKeys.class);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofMinutes(1));
    private static final Duration SEALS = Duration.ofDays(1);
    /** A stored key seals only when all replicas have received it. */
    private static final Duration DISTRIBUTION = Duration.ofMinutes(1);
    /** Sessions that end within this time are one write. */
    private static final Duration COLLECTED = Duration.ofSeconds(1);
    /** About 100 KiB; a Secret has at most 1 MiB. */
    private static final int MOST_ENDED = 2_000;

    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;
    private static final String ENDED = "ended";
    private static final String KEY_SUFFIX = ".key";

    private final Duration sessionLife;
    private final SecureRandom random;
    private final RuntimeContext around;
    private final SharedSecret secret;
    private final RenewalLoop loop;
    /** Ended on this replica and not stored yet. */
    private final Map<String, Instant> endedHere = new ConcurrentHashMap<>();
    /** Whether a run that stores what has ended is due. */
    private final AtomicBoolean storing = new AtomicBoolean();

    private volatile KeyRing ring;
    private volatile boolean loaded;
    private volatile boolean failed;

    /** @param id short and public, part of what it seals */
    public record SessionKey(String id, SecretKey key, Instant sealsFrom) {}

    /**
     * Content of the Secret.
     *
     * @param keys by the time from which they seal
     * @param ended sessions that ended early, with the time at which they would have ended
     */
    private record KeyRing(TreeMap<Instant, SessionKey> keys, Map<String, Instant> ended) {
        static KeyRing read(StoredSecret stored) {
            TreeMap<Instant, SessionKey> keys = new TreeMap<>();
            Map<String, Instant> ended = new LinkedHashMap<>();
            stored.data().forEach((name, text) -> text.lines().forEach(line -> {
                String[] parts = line.split(" ", 2);
                try {
                    Instant time = Instant.parse(parts[0]);
                    if (name.equals(ENDED)) {
                        ended.put(parts[1], time);
                    } else if (name.endsWith(KEY_SUFFIX)) {
                        byte[] bytes = Base64.getDecoder().decode(parts[1]);
                        String id = name.substring(0, name.length() - KEY_SUFFIX.length());
                        if (bytes.length == KEY_BYTES && id.matches("[0-9a-f]{8}")) {
                            keys.put(time, new SessionKey(id, new SecretKeySpec(bytes, "AES"), time));
                        }
                    }
                } catch (DateTimeException | IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
                    LOG.warn("Secret {} has an unusable entry {}, ignoring it", SECRET, name);
                }
            }));
            return new KeyRing(keys, ended);
        }

        Map<String, String> data() {
            Map<String, String> data = new TreeMap<>();
            keys.forEach((from, key) -> data.put(
                    key.id() + KEY_SUFFIX,
                    from + " " + Base64.getEncoder().encodeToString(key.key().getEncoded())));
            if (!ended.isEmpty()) {
                StringBuilder lines = new StringBuilder();
                ended.forEach((session, time) ->
                        lines.append(time).append(' ').append(session).append('\n'));
                data.put(ENDED, lines.toString());
            }
            return data;
        }

        SessionKey sealing(Instant now) {
            Map.Entry<Instant, SessionKey> newest = keys.floorEntry(now);
            return (newest == null ? keys.firstEntry() : newest).getValue();
        }
    }

    /**
     * Keys that are not shared yet.
     *
     * @param namespace of the Secret: the hub's own
     * @param sessionLife longest life of a session
     */
    public SessionKeys(
            KubeApi management, String namespace, Duration sessionLife, SecureRandom random, RuntimeContext around) {
        this.sessionLife = sessionLife;
        this.random = random;
        this.around = around;
        this.ring = new KeyRing(new TreeMap<>(), Map.of());
        this.ring = renewed(ring, now());
        this.loop = new RenewalLoop("Session key renewal", () -> RETRY, this::renew, this::onRenewalFailed, around);
        this.secret =
                new SharedSecret(management, namespace, SECRET, "Opaque", () -> loop.wake(), this::onFailed, around);
    }

    public void start() {
        secret.start();
        loop.wakeAfter(SEALS);
    }

    /** Stores sign-outs that are not stored yet. Blocks for a request to the management cluster if there are any. */
    public void stop() {
        loop.stop();
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
        secret.stop();
    }

    /** Whether the keys of the other replicas are being loaded. */
    public boolean isLoading() {
        return !loaded && !failed;
    }

    /** The key for new sessions. */
    public SessionKey sealing() {
        return ring.sealing(now());
    }

    /** The key with this id; empty if there is none, or it is no longer needed. */
    public Optional<SessionKey> find(String id) {
        return ring.keys().values().stream().filter(key -> key.id().equals(id)).findFirst();
    }

    /** Ends a session early: on this replica at once, on the others when the Secret is stored. Must not block. */
    public void end(String session, Instant until) {
        if (endedHere.size() < MOST_ENDED) {
            endedHere.put(session, until);
        } else {
            onForgotten(1);
        }
        if (storing.compareAndSet(false, true)) {
            loop.wakeAfter(COLLECTED);
        }
    }

    public boolean isEnded(String session) {
        return endedHere.containsKey(session) || ring.ended().containsKey(session);
    }

    /** Number of sessions that ended early and are remembered. */
    public int endedSessions() {
        Set<String> all = new HashSet<>(ring.ended().keySet());
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

    private Instant now() {
        return around.scheduler().now();
    }

    /** Replicas store at the same time; all but one fail, and read what the other stored. */
    private void onRenewalFailed(String cause, int inARow) {
        // The backoff's run stores it; each sign-out must not cause another attempt.
        storing.set(true);
        if (inARow > 1) {
            onFailed(cause);
        }
    }

    private void onFailed(String cause) {
        if (!failed) {
            failed = true;
            LOG.atWarn()
                    .addKeyValue("cause", cause)
                    .log("Reading or storing Secret {} failed; console sessions are bound to this replica", SECRET);
        }
    }

    /** Delay of the next run unless a change triggers it earlier. */
    private synchronized Duration renew() throws ApiFailure {
        // Before it reads what has ended: what ends from here on causes the next run.
        storing.set(false);
        Instant now = now();
        if (!secret.isSynced()) {
            ring = renewed(ring, now);
            return untilNextKey(ring, now);
        }
        StoredSecret stored = secret.find();
        if (stored == null && loaded) {
            ring = renewed(new KeyRing(new TreeMap<>(), Map.of()), now);
            loaded = false;
        }
        // A new Secret gets the key of this process.
        KeyRing read = stored == null ? ring : KeyRing.read(stored);
        KeyRing wanted = renewed(read, now);
        if (stored == null || !wanted.data().equals(stored.data())) {
            if (stored != null && !read.keys().isEmpty()) {
                ring = read;
                loaded = true;
            }
            secret.store(wanted.data(), stored);
        }
        ring = wanted;
        loaded = true;
        failed = false;
        endedHere.keySet().removeAll(wanted.ended().keySet());
        if (!endedHere.isEmpty()) {
            return COLLECTED; // ended during this run
        }
        return untilNextKey(wanted, now);
    }

    private static Duration untilNextKey(KeyRing ring, Instant now) {
        Duration rest = Duration.between(now, ring.keys().lastKey().plus(SEALS));
        return rest.compareTo(SEALS) > 0 ? SEALS : rest;
    }

    /** Adds a key when the newest is due, and removes what no session needs. */
    private KeyRing renewed(KeyRing read, Instant now) {
        TreeMap<Instant, SessionKey> keys = new TreeMap<>(read.keys());
        Instant second = now.truncatedTo(ChronoUnit.SECONDS);
        if (keys.isEmpty()) {
            keys.put(second, generate(second));
        } else if (!keys.lastKey().plus(SEALS).isAfter(now)) {
            Instant from = second.plus(DISTRIBUTION);
            keys.put(from, generate(from));
        }
        Instant next = keys.higherKey(keys.firstKey());
        while (next != null && !next.plus(sessionLife).isAfter(now)) {
            keys.pollFirstEntry();
            next = keys.higherKey(keys.firstKey());
        }
        Map<String, Instant> ended = new LinkedHashMap<>(read.ended());
        ended.putAll(endedHere);
        ended.values().removeIf(end -> !end.isAfter(now));
        endedHere.values().removeIf(end -> !end.isAfter(now));
        int forgotten = Math.max(0, ended.size() - MOST_ENDED);
        if (forgotten > 0) {
            List.copyOf(ended.keySet()).subList(0, forgotten).forEach(ended::remove);
            onForgotten(forgotten);
        }
        return new KeyRing(keys, ended);
    }

    private SessionKey generate(Instant from) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return new SessionKey(HexFormat.of().formatHex(id), new SecretKeySpec(key, "AES"), from);
    }
}
