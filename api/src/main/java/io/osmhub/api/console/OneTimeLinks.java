package io.osmhub.api.console;

import io.osmhub.core.model.Sensitive;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One-time sign-in links for local trials, instead of pasting a token. A link is a bearer credential, so it expires after minutes
 * and one use. It contains the address of the process that made it, which therefore keeps it in memory. Thread-safe.
 */
final class OneTimeLinks {
    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final int MOST = 100;
    private static final int CODE_BYTES = 32;

    private final Map<String, LinkEntry> links = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final InstantSource clock;

    private record LinkEntry(Sensitive token, Instant ends) {}

    OneTimeLinks(InstantSource clock) {
        this.clock = clock;
    }

    /** A new code for this token. */
    String make(Sensitive token) {
        Instant now = clock.instant();
        links.values().removeIf(kept -> kept.ends().isBefore(now));
        if (links.size() >= MOST) {
            throw new IllegalStateException("more than " + MOST + " links are unused");
        }
        byte[] bytes = new byte[CODE_BYTES];
        random.nextBytes(bytes);
        String code = HexFormat.of().formatHex(bytes);
        links.put(code, new LinkEntry(token, now.plus(LIFE)));
        return code;
    }

    /** Consumes a code and returns its token; empty if the code is unknown, used or expired. */
    Optional<Sensitive> use(String code) {
        LinkEntry kept = links.remove(code);
        return kept == null || kept.ends().isBefore(clock.instant()) ? Optional.empty() : Optional.of(kept.token());
    }
}
