package io.osmhub.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SessionStoreTest {
    private final ReviewingCluster cluster = new ReviewingCluster();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T10:00:00Z"));
    private final TokenReviewAuthenticator reviews =
            new TokenReviewAuthenticator(cluster, List.of("osm-hub"), Duration.ZERO, () -> 0, ReviewMetrics.NONE);
    private final SessionStore sessions =
            new SessionStore(new TokenReviewThrottle(reviews, () -> 0), Duration.ofHours(8), Duration.ZERO, now::get);

    @Test
    void aSessionLastsAsLongAsItsTokenAndItsLife() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        cluster.holders.put("t2", "bob");
        String ann = begin("t1");
        String bob = begin("t2");

        assertThat(ann).isNotEqualTo(bob).hasSizeGreaterThan(40);
        assertThat(sessions.findCaller(ann)).map(Caller::user).contains("ann");
        assertThat(sessions.findCaller(ann)).map(Caller::sessionEnds).contains(Instant.parse("2026-11-21T18:00:00Z"));

        cluster.holders.remove("t1");
        assertThat(sessions.findCaller(ann)).isEmpty();
        cluster.holders.put("t1", "ann");
        assertThat(sessions.findCaller(ann)).isEmpty();

        now.set(Instant.parse("2026-11-21T18:00:00Z"));
        assertThat(sessions.findCaller(bob)).isEmpty();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void signingOutEndsOneSession() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        String one = begin("t1");
        String other = begin("t1");

        sessions.endSession(one);

        assertThat(sessions.findCaller(one)).isEmpty();
        assertThat(sessions.findCaller(other)).isPresent();
    }

    @Test
    void nobodySignsInWithAnUnknownToken() throws ApiProblem {
        assertThat(sessions.startSession(new Sensitive("t9"), "10.0.0.1")).isEmpty();
        assertThat(sessions.findCaller("")).isEmpty();
    }

    @Test
    void theCookieIsForThisHostAndNoScript() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        SessionStore.NewSession begun =
                sessions.startSession(new Sensitive("t1"), "10.0.0.1").orElseThrow();

        assertThat(begun.cookie())
                .startsWith("__Host-osmhub=")
                .endsWith("; Path=/; Max-Age=28800; Secure; HttpOnly; SameSite=Strict")
                .doesNotContain("t1;");
        assertThat(begun.toString()).doesNotContain(begun.id().reveal());
    }

    @Test
    void whoSignsInAgainAndAgainEndsOwnSessionsOnly() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        cluster.holders.put("t2", "bob");
        String bob = begin("t2");
        String first = begin("t1");

        for (int i = 0; i < 99; i++) {
            begin("t1");
        }
        assertThat(sessions.findCaller(first)).isPresent();
        ApiProblem tooMany;
        do { // the limit refills in real time
            tooMany = catchThrowableOfType(ApiProblem.class, () -> begin("t1"));
        } while (tooMany == null);

        assertThat(tooMany.status()).isEqualTo(429);
        assertThat(sessions.findCaller(bob)).isPresent();
        assertThat(sessions.size()).isEqualTo(101);
    }

    private String begin(String token) throws ApiProblem {
        return sessions.startSession(new Sensitive(token), "10.0.0.1")
                .orElseThrow()
                .id()
                .reveal();
    }
}
