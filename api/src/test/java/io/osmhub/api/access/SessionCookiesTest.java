package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SessionCookiesTest {
    private static final Duration LIFE = Duration.ofHours(8);

    private final ReviewingCluster cluster = new ReviewingCluster();
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T10:00:00Z"));
    private final SessionCookies sessions = replica();

    private SessionCookies replica() {
        return replica(LocalSessionKeys.create(management, time));
    }

    private SessionCookies replica(SessionKeys keys) {
        TokenReviewAuthenticator reviews = new TokenReviewAuthenticator(
                cluster.api(), List.of("osm-hub"), token -> false, Duration.ZERO, () -> 0, ReviewMetrics.NONE);
        return new SessionCookies(new TokenReviewThrottle(reviews, () -> 0), keys, LIFE, Duration.ZERO, now::get);
    }

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

        now.set(Instant.parse("2026-11-21T18:00:00Z"));
        assertThat(sessions.findCaller(bob)).isEmpty();
    }

    @Test
    void aSessionIsValidOnEveryReplicaAndAfterARestart() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        SessionCookies other = replica();
        String cookie = begin("t1");

        assertThat(other.findCaller(cookie)).map(Caller::user).contains("ann");
        assertThat(replica().findCaller(cookie)).map(Caller::user).contains("ann");
    }

    @Test
    void signingOutEndsOneSessionOnEveryReplica() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        SessionCookies other = replica();
        String one = begin("t1");
        String another = begin("t1");

        sessions.endSession(one);

        assertThat(sessions.findCaller(one)).isEmpty();
        time.pass(Duration.ofSeconds(2));
        assertThat(other.findCaller(one)).isEmpty();
        assertThat(replica().findCaller(one)).as("after a restart").isEmpty();
        assertThat(sessions.findCaller(another)).isPresent();
        assertThat(other.findCaller(another)).isPresent();
    }

    @Test
    void deletingTheSecretEndsAllSessions() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        String cookie = begin("t1");

        management.remove(Resource.SECRETS, "osm-hub", SessionKeys.SECRET);
        time.settle();

        assertThat(sessions.findCaller(cookie)).isEmpty();
        assertThat(sessions.findCaller(begin("t1"))).isPresent();
    }

    @Test
    void withoutTheSecretSessionsAreBoundToTheReplica() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        management.forbid(request -> request.resource().equals(Resource.SECRETS));
        SessionCookies alone = replica();

        String cookie = alone.startSession(new Sensitive("t1"), "10.0.0.1")
                .orElseThrow()
                .sealed()
                .reveal();

        assertThat(alone.findCaller(cookie)).isPresent();
        assertThat(sessions.findCaller(cookie)).isEmpty();
    }

    @Test
    void aSessionOfAKeyThatIsBeingLoadedIsNotEnded() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        String cookie = begin("t1");
        SessionCookies starting = replica(LocalSessionKeys.unstarted(management, time));

        ApiProblem problem = catchThrowableOfType(ApiProblem.class, () -> starting.findCaller(cookie));

        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void noSessionStartsWhileTheKeysAreBeingLoaded() {
        cluster.holders.put("t1", "ann");
        SessionCookies starting = replica(LocalSessionKeys.unstarted(management, time));

        ApiProblem problem =
                catchThrowableOfType(ApiProblem.class, () -> starting.startSession(new Sensitive("t1"), "10.0.0.1"));

        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem.detail()).contains("loading its session keys");
        assertThat(cluster.tokenReviews).hasValue(0);
    }

    @Test
    void aChangedCookieIsNotASession() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        String cookie = begin("t1");

        for (int i = 0; i < cookie.length(); i++) {
            char other = cookie.charAt(i) == 'A' ? 'Q' : 'A';
            assertThat(sessions.findCaller(cookie.substring(0, i) + other + cookie.substring(i + 1)))
                    .as("character %s", i)
                    .isEmpty();
            assertThat(sessions.findCaller(cookie.substring(0, i))).isEmpty();
        }
        assertThat(sessions.findCaller("not base64 \u0000")).isEmpty();
        assertThat(sessions.findCaller("A".repeat(100_000))).isEmpty();
    }

    @Test
    void theCookieRevealsNothingOfTheToken() throws ApiProblem {
        String token = token(40);
        cluster.holders.put(token, "ann");

        String one = begin(token);

        assertThat(one).isNotEqualTo(begin(token));
        assertThat(new String(Base64.getUrlDecoder().decode(one), ISO_8859_1)).doesNotContain(token.substring(0, 8));
    }

    @Test
    void aTokenOfTwoKibibytesFitsIntoACookieAndALongerOneIsRejected() throws ApiProblem {
        String fits = token(2_048);
        String tooLong = token(4_096);
        cluster.holders.put(fits, "ann");
        cluster.holders.put(tooLong, "ann");

        assertThat(sessions.findCaller(begin(fits))).isPresent();
        ApiProblem problem = catchThrowableOfType(ApiProblem.class, () -> begin(tooLong));

        assertThat(problem.status()).isEqualTo(413);
        assertThat(problem.detail())
                .contains("the token has 4096 characters, which is too long for a session cookie", "fewer claims")
                .doesNotContain(tooLong.substring(0, 20));
    }

    @Test
    void nobodySignsInWithAnUnknownToken() throws ApiProblem {
        assertThat(sessions.startSession(new Sensitive("t9"), "10.0.0.1")).isEmpty();
        assertThat(sessions.findCaller("")).isEmpty();
    }

    @Test
    void theCookieIsForThisHostAndNoScript() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        SessionCookies.NewSession begun =
                sessions.startSession(new Sensitive("t1"), "10.0.0.1").orElseThrow();

        assertThat(begun.cookie())
                .startsWith("__Host-osmhub=")
                .endsWith("; Path=/; Max-Age=28800; Secure; HttpOnly; SameSite=Strict")
                .hasSizeLessThan(4_096);
        assertThat(begun.toString()).doesNotContain(begun.sealed().reveal());
    }

    @Test
    void whoSignsInAgainAndAgainIsLimitedAndOthersAreNot() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        cluster.holders.put("t2", "bob");

        ApiProblem tooMany;
        do { // the limit refills in real time
            tooMany = catchThrowableOfType(ApiProblem.class, () -> begin("t1"));
        } while (tooMany == null);

        assertThat(tooMany.status()).isEqualTo(429);
        assertThat(sessions.findCaller(begin("t2"))).isPresent();
    }

    /** Random text, which cannot be compressed to less than three quarters. */
    private static String token(int length) {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return new Random(length)
                .ints(length, 0, alphabet.length())
                .mapToObj(alphabet::charAt)
                .collect(StringBuilder::new, StringBuilder::append, StringBuilder::append)
                .toString();
    }

    private String begin(String token) throws ApiProblem {
        return sessions.startSession(new Sensitive(token), "10.0.0.1")
                .orElseThrow()
                .sealed()
                .reveal();
    }
}
