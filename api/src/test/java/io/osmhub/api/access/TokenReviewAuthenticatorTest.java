package io.osmhub.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenReviewAuthenticatorTest {
    private final ReviewingCluster cluster = new ReviewingCluster();
    private final AtomicLong now = new AtomicLong();
    private final TokenReviewAuthenticator reviews = reviews(Duration.ofSeconds(10));

    private TokenReviewAuthenticator reviews(Duration life) {
        return new TokenReviewAuthenticator(
                cluster.api(), List.of("osm-hub"), token -> false, life, now::get, ReviewMetrics.NONE);
    }

    @Test
    void aKnownTokenIsAskedForOnceWithinItsLife() throws ApiProblem {
        cluster.holders.put("t1", "ann");

        assertThat(caller("t1")).contains("ann");
        assertThat(caller("t1")).contains("ann");
        assertThat(cluster.tokenReviews).hasValue(1);

        now.addAndGet(Duration.ofSeconds(10).toNanos());
        cluster.holders.remove("t1");
        assertThat(caller("t1")).isEmpty();
        assertThat(cluster.tokenReviews).hasValue(2);
    }

    @Test
    void anUnknownTokenIsRememberedTooAndBecomesKnown() throws ApiProblem {
        assertThat(caller("t2")).isEmpty();
        assertThat(caller("t2")).isEmpty();
        assertThat(cluster.tokenReviews).hasValue(1);

        cluster.holders.put("t2", "bob");
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(caller("t2")).contains("bob");
    }

    @Test
    void aTokenForSomebodyElseOrWithoutANameIsNobodys() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        cluster.audience = "https://kubernetes.default.svc";
        assertThat(caller("t1")).isEmpty();

        cluster.holders.put("t3", "ann");
        cluster.audience = "";
        assertThat(caller("t3")).isEmpty();

        cluster.audience = "osm-hub";
        cluster.holders.put("t4", "");
        assertThat(caller("t4")).isEmpty();
        assertThat(cluster.specs.getFirst().path("audiences").toString()).isEqualTo("[\"osm-hub\"]");
    }

    @Test
    void whatIsNoTokenIsNotAskedAbout() throws ApiProblem {
        for (String text : List.of("", "a b", "ä", "x".repeat(20_000), "a\r\nb")) {
            assertThat(caller(text)).isEmpty();
        }
        assertThat(cluster.tokenReviews).hasValue(0);
    }

    @Test
    void withoutALifeEveryRequestAsks() throws ApiProblem {
        cluster.holders.put("t1", "ann");
        TokenReviewAuthenticator forgetful = reviews(Duration.ZERO);

        assertThat(forgetful.authenticate(new Sensitive("t1"))).isPresent();
        cluster.holders.remove("t1");
        assertThat(forgetful.authenticate(new Sensitive("t1"))).isEmpty();
    }

    @Test
    void aManagementClusterThatDoesNotAnswerIsNoRefusalAndIsNotRemembered() throws ApiProblem {
        cluster.failure = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");

        ApiProblem problem = catchThrowableOfType(ApiProblem.class, () -> caller("t1"));

        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem.retryAfter()).isNotNull();
        cluster.failure = null;
        cluster.holders.put("t1", "ann");
        assertThat(caller("t1")).contains("ann");
    }

    @Test
    void manyWhoAskAtOnceWaitForOneAnswer() throws Exception {
        cluster.holders.put("t1", "ann");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        cluster.beforeAnswer = () -> {
            asked.countDown();
            try {
                assertThat(answer.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<String>>> answers = new ArrayList<>();
            answers.add(threads.submit(() -> caller("t1")));
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 50; i++) {
                answers.add(threads.submit(() -> caller("t1")));
            }
            answer.countDown();
            for (Future<Optional<String>> each : answers) {
                assertThat(each.get(20, TimeUnit.SECONDS)).contains("ann");
            }
        }
        assertThat(cluster.tokenReviews).hasValue(1);
    }

    private Optional<String> caller(String token) throws ApiProblem {
        return reviews.authenticate(new Sensitive(token)).map(Caller::user);
    }
}
