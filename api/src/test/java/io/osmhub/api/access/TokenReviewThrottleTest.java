package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Everybody comes through one proxy. */
class TokenReviewThrottleTest {
    private static final String PROXY = "10.0.0.1";

    private final ReviewingCluster cluster = new ReviewingCluster();
    private final AtomicLong now = new AtomicLong();
    private final TokenReviewThrottle strangers = new TokenReviewThrottle(
            new TokenReviewAuthenticator(
                    cluster.api(),
                    List.of("osm-hub"),
                    token -> false,
                    Duration.ofSeconds(10),
                    now::get,
                    ReviewMetrics.NONE),
            now::get);

    @Test
    void guessedTokensKeepOutNobodyWhoWasHereBefore() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        assertThat(caller("t1")).contains("ann");

        // More than are remembered.
        for (int i = 0; i < 12_000; i++) {
            caller("guess" + i);
            now.addAndGet(Duration.ofMillis(100).toNanos());
        }
        while (!isRefused("again" + now.get())) {
            now.addAndGet(1);
        }

        assertThat(caller("t1")).contains("ann");
    }

    @Test
    void aNewTokenOfWhoWasHereBeforeComesInWhileOthersGuess() throws ApiProblem {
        cluster.holders.put(jwt("ann", 1), "ann");
        cluster.holders.put(jwt("ann", 2), "ann");
        cluster.holders.put(jwt("bob", 1), "bob");
        assertThat(caller(jwt("ann", 1))).contains("ann");

        guessUntilRefused();

        assertThat(caller(jwt("ann", 2))).contains("ann");
        assertThat(isRefused(jwt("bob", 1))).isTrue();
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(caller(jwt("bob", 1))).contains("bob");
    }

    @Test
    void whoGuessesInTheNameOfOneWhoWasHereIsCountedToo() throws ApiProblem {
        cluster.holders.put(jwt("ann", 1), "ann");
        assertThat(caller(jwt("ann", 1))).contains("ann");

        int asked = 0;
        while (!isRefused(jwt("ann", 1_000 + asked))) {
            asked++;
        }

        assertThat(asked).isEqualTo(20);
        assertThat(caller(jwt("ann", 1))).contains("ann");
    }

    /** A program with a token that has ended asks all day, and is no reason to shut out its neighbours. */
    @Test
    void oneTokenThatIsRefusedAgainAndAgainCountsOnceForEachReview() throws ApiProblem {
        for (int i = 0; i < 5_000; i++) {
            assertThat(caller("ended")).isEmpty();
            now.addAndGet(Duration.ofMillis(10).toNanos());
        }

        assertThat(cluster.tokenReviews).hasValue(5);
        cluster.holders.put("t1", "ann");
        assertThat(caller("t1")).contains("ann");
    }

    @Test
    void aRefusalSaysWhyAndWhenToComeAgain() {
        guessUntilRefused();

        ApiProblem problem = catchThrowableOfType(ApiProblem.class, () -> caller("another"));

        assertThat(problem.status()).isEqualTo(429);
        assertThat(problem.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(problem.detail()).contains("tokens from this address were rejected", "wait 1 s");
    }

    @Test
    void goodTokensAndReviewsWithoutAnAnswerAreNotCounted() throws ApiProblem {
        cluster.failure = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");
        for (int i = 0; i < 300; i++) {
            String token = "t" + i;
            assertThat(catchThrowableOfType(ApiProblem.class, () -> caller(token))
                            .status())
                    .isEqualTo(503);
        }
        cluster.failure = null;

        for (int i = 0; i < 300; i++) {
            cluster.holders.put("t" + i, "ann");
            assertThat(caller("t" + i)).contains("ann");
        }
    }

    /** Each waits for its answer, so that no refusal is known yet. */
    @Test
    void whileTheManagementClusterIsSlowAnAddressHasSoManyQuestionsUnderWay() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        cluster.beforeAnswer = () -> {
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> guesses = IntStream.range(0, 400)
                    .mapToObj(i -> threads.submit(() -> isRefused("guess" + i)))
                    .toList();
            await().until(() -> guesses.stream().filter(Future::isDone).count() >= 300);
            answer.countDown();
            for (Future<Boolean> each : guesses) {
                each.get();
            }
        }

        assertThat(cluster.tokenReviews).hasValue(100);
    }

    private void guessUntilRefused() {
        int i = 0;
        while (!isRefused("guess" + i)) {
            i++;
        }
    }

    private boolean isRefused(String token) {
        try {
            caller(token);
            return false;
        } catch (ApiProblem problem) {
            assertThat(problem.status()).isEqualTo(429);
            return true;
        }
    }

    private Optional<String> caller(String token) throws ApiProblem {
        return strangers.authenticate(new Sensitive(token), PROXY).map(Caller::user);
    }

    private static String jwt(String subject, int number) {
        String claims = "{\"iss\":\"https://management\",\"sub\":\"" + subject + "\",\"jti\":\"" + number + "\"}";
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8)) + ".sig";
    }
}
