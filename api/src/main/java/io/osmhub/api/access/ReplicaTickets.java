package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.tenancy.certificate.SessionKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Seals the client's address into the requests that one replica sends to another, so that limits by address apply to the client and
 * not to the replica. Clients cannot create a ticket: it requires the keys that all replicas share. Thread-safe.
 */
public final class ReplicaTickets {
    /** Header of a ticket. Whatever its value, such a request is never sent on to another replica. */
    public static final String HEADER = "X-OSMHub-Replica";

    /** Longer than a request lasts, and than the clocks of replicas differ. */
    private static final Duration LIFE = Duration.ofMinutes(5);

    private final CookieSealer sealer;
    private final InstantSource clock;

    public ReplicaTickets(SessionKeys keys, InstantSource clock) {
        this.sealer = new CookieSealer(keys, "osmhub replica");
        this.clock = clock;
    }

    /** A ticket for one request. */
    public String issue(String clientAddress) {
        return sealer.seal((clock.instant().plus(LIFE).getEpochSecond() + " " + clientAddress).getBytes(UTF_8));
    }

    /** Address of the client; empty if the text is not a valid ticket. */
    public Optional<String> findClientAddress(@Nullable String ticket) {
        return Optional.ofNullable(ticket)
                .flatMap(sealer::open)
                .map(content -> new String(content, UTF_8).split(" ", 2))
                .filter(parts -> Long.parseLong(parts[0]) > clock.instant().getEpochSecond())
                .map(parts -> parts[1]);
    }
}
