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
 * Links that sign somebody in once, for who starts a hub to try it: nobody has to copy a token. Whoever holds a link is who it was
 * made for, so a link lasts for minutes and for one use. Safe for use by many threads.
 */
final class OneTimeLinks {
    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final int MOST = 100;
    private static final int CODE_BYTES = 32;

    private final Map<String, Kept> links = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final InstantSource clock;

    private record Kept(Sensitive token, Instant ends) {}

    OneTimeLinks(InstantSource clock) {
        this.clock = clock;
    }

    /** A new code for who holds the token. */
    String make(Sensitive token) {
        Instant now = clock.instant();
        links.values().removeIf(kept -> kept.ends().isBefore(now));
        if (links.size() >= MOST) {
            throw new IllegalStateException("more than " + MOST + " links wait to be used");
        }
        byte[] bytes = new byte[CODE_BYTES];
        random.nextBytes(bytes);
        String code = HexFormat.of().formatHex(bytes);
        links.put(code, new Kept(token, now.plus(LIFE)));
        return code;
    }

    /** The token of a code, which is worth nothing from then on; empty for one that is not known, used or too old. */
    Optional<Sensitive> use(String code) {
        Kept kept = links.remove(code);
        return kept == null || kept.ends().isBefore(clock.instant()) ? Optional.empty() : Optional.of(kept.token());
    }
}
