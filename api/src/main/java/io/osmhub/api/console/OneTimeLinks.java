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

    private final Map<String, OneTimeLink> links = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final InstantSource clock;

    /** A link; a credential. */
    record OneTimeLink(Sensitive code, Sensitive token, Instant ends) {}

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
        links.put(code, new OneTimeLink(new Sensitive(code), token, now.plus(LIFE)));
        return code;
    }

    /** Consumes a code; empty if it is unknown, used or expired. */
    Optional<OneTimeLink> use(String code) {
        return Optional.ofNullable(links.remove(code))
                .filter(link -> !link.ends().isBefore(clock.instant()));
    }

    /** Undoes a use: no session could be started now. */
    void restore(OneTimeLink link) {
        links.put(link.code().reveal(), link);
    }
}
