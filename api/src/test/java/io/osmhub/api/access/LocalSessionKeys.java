package io.osmhub.api.access;

import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/** Session keys of a single replica. */
public final class LocalSessionKeys {
    private LocalSessionKeys() {}

    public static SessionKeys create() {
        VirtualTime time = new VirtualTime();
        return create(new SimulatedServer(time), time);
    }

    /** Keys in the Secret of a management cluster. */
    static SessionKeys create(SimulatedServer management, VirtualTime time) {
        SessionKeys keys = unstarted(management, time);
        keys.start();
        time.settle();
        return keys;
    }

    static SessionKeys unstarted(SimulatedServer management, VirtualTime time) {
        return new SessionKeys(
                management.api(), "osm-hub", new SecureRandom(), new RuntimeContext(time, time, new Random(1)));
    }

    /** Sessions of a hub whose management cluster accepts one token. */
    public static SessionCookies sessionsFor(String token) {
        ReviewingCluster cluster = new ReviewingCluster();
        cluster.holders.put(token, "ann");
        TokenReviewAuthenticator reviews = new TokenReviewAuthenticator(
                cluster.api(), List.of("osm-hub"), one -> false, Duration.ZERO, () -> 0, ReviewMetrics.NONE);
        return new SessionCookies(
                new TokenReviewThrottle(reviews, () -> 0),
                create(),
                Duration.ofHours(8),
                Duration.ZERO,
                InstantSource.system());
    }
}
