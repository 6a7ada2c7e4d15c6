package io.osmhub.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubjectAccessReviewAuthorizerTest {
    private static final Caller ANN =
            new Caller("ann", "u1", List.of("dev", "ops"), Map.of("scopes", List.of("a", "b")), null);

    private final ReviewingCluster cluster = new ReviewingCluster();
    private final AtomicLong now = new AtomicLong();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Set<String> tenants =
            IntStream.range(0, 300).mapToObj(i -> "cluster-" + i).collect(Collectors.toUnmodifiableSet());
    private final AtomicInteger answersUsed = new AtomicInteger();
    private final SubjectAccessReviewAuthorizer access = new SubjectAccessReviewAuthorizer(
            cluster.api(),
            () -> tenants,
            threads,
            Duration.ofSeconds(10),
            now::get,
            (kind, result, fromCache) -> answersUsed.incrementAndGet());

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void asksWithAllThatTheCallerIs() throws ApiProblem {
        cluster.grants.add("ann get workerclusters cluster-1/shop");

        assertThat(access.isAllowed(ANN, Verb.GET, Resource.WORKER_CLUSTERS, "cluster-1", "shop"))
                .isTrue();
        assertThat(access.isAllowed(ANN, Verb.DELETE, Resource.WORKER_CLUSTERS, "cluster-1", "shop"))
                .isFalse();

        JsonNode spec = cluster.specs.getFirst();
        assertThat(spec.path("user").asText()).isEqualTo("ann");
        assertThat(spec.path("uid").asText()).isEqualTo("u1");
        assertThat(spec.path("groups")).hasToString("[\"dev\",\"ops\"]");
        assertThat(spec.path("extra")).hasToString("{\"scopes\":[\"a\",\"b\"]}");
        JsonNode attributes = spec.path("resourceAttributes");
        assertThat(attributes.properties())
                .extracting(Map.Entry::getKey, attribute -> attribute.getValue().asText())
                .containsExactlyInAnyOrder(
                        tuple("group", "osmhub.io"),
                        tuple("resource", "workerclusters"),
                        tuple("verb", "get"),
                        tuple("namespace", "cluster-1"),
                        tuple("name", "shop"));
    }

    @Test
    void answersAreRememberedForEachCallerAndNotLonger() throws ApiProblem {
        cluster.grants.add("ann get workerclusters cluster-1/shop");
        Caller bob = new Caller("bob", "", List.of(), Map.of(), null);
        Caller annInGroups = new Caller("ann", "u1", List.of("dev"), Map.of(), null);
        for (int i = 0; i < 3; i++) {
            assertThat(access.isAllowed(ANN, Verb.GET, Resource.WORKER_CLUSTERS, "cluster-1", "shop"))
                    .isTrue();
            assertThat(access.isAllowed(bob, Verb.GET, Resource.WORKER_CLUSTERS, "cluster-1", "shop"))
                    .isFalse();
            assertThat(access.isAllowed(
                            ANN.withSessionEnd(Instant.EPOCH.plusSeconds(i)),
                            Verb.GET,
                            Resource.WORKER_CLUSTERS,
                            "cluster-1",
                            "shop"))
                    .isTrue();
        }
        assertThat(cluster.accessReviews).hasValue(2);
        access.isAllowed(annInGroups, Verb.GET, Resource.WORKER_CLUSTERS, "cluster-1", "shop");
        assertThat(cluster.accessReviews).hasValue(3);

        cluster.grants.clear();
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(access.isAllowed(ANN, Verb.GET, Resource.WORKER_CLUSTERS, "cluster-1", "shop"))
                .isFalse();
    }

    @Test
    void whoSeesEverythingCostsOneQuestion() throws ApiProblem {
        cluster.grants.add("ann list workerclusters /");

        VisibleTenants visible = access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);

        assertThat(visible.includesAll()).isTrue();
        assertThat(visible.includes("one-that-comes-later")).isTrue();
        assertThat(cluster.accessReviews).hasValue(1);
    }

    @Test
    void whoSeesSomeTenantsSeesThoseAndNoOthers() throws ApiProblem {
        cluster.grants.add("ann list workerclusters cluster-7/");
        cluster.grants.add("ann list workerclusters cluster-200/");
        cluster.grants.add("ann get workerclusters cluster-8/");

        VisibleTenants visible = access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);

        assertThat(visible.includesAll()).isFalse();
        assertThat(tenants.stream().filter(visible::includes)).containsExactlyInAnyOrder("cluster-7", "cluster-200");
        assertThat(visible.includes("kube-system")).isFalse();
        assertThat(cluster.accessReviews).hasValue(301);
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        assertThat(cluster.accessReviews).hasValue(301);
    }

    @Test
    void leaveToSeeATenantIsAskedForAgainInEachLife() throws ApiProblem {
        cluster.grants.add("ann list workerclusters cluster-7/");
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        cluster.grants.clear();

        now.addAndGet(Duration.ofSeconds(10).toNanos());

        assertThat(access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).includes("cluster-7"))
                .isFalse();
        // That one, and whether all may be seen.
        assertThat(cluster.accessReviews).hasValue(303);
    }

    @Test
    void refusalsAreAskedForAgainWhileNobodyWaits() throws Exception {
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        cluster.grants.add("ann list workerclusters cluster-7/");

        now.addAndGet(Duration.ofSeconds(60).toNanos());

        assertThat(access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).includes("cluster-7"))
                .as("the refusal stands until there is another answer")
                .isFalse();
        await(() -> cluster.accessReviews.get() == 302 + 300);
        await(() -> {
            try {
                return access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).includes("cluster-7");
            } catch (ApiProblem problem) {
                throw new IllegalStateException(problem);
            }
        });
    }

    @Test
    void theManagementClusterIsNotAskedForAllRefusalsAtOnce() throws Exception {
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        now.addAndGet(Duration.ofSeconds(29).toNanos());
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        assertThat(cluster.accessReviews).hasValue(302);

        now.addAndGet(Duration.ofSeconds(16).toNanos());
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);

        threads.close();
        assertThat(cluster.accessReviews.get() - 303)
                .as("refusals asked for again, of 300, in the middle between the first and the last one's time")
                .isBetween(120, 180);
    }

    @Test
    void whatACallerSeesIsPutTogetherOnceForManyPages() throws ApiProblem {
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        int looked = answersUsed.get();

        now.addAndGet(Duration.ofMillis(999).toNanos());
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        assertThat(answersUsed).as("only whether all may be seen").hasValue(looked + 1);

        now.addAndGet(Duration.ofMillis(1).toNanos());
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        assertThat(answersUsed).hasValue(looked + 302);
    }

    @Test
    void aTenantThatComesIsAskedForAtOnce() throws ApiProblem {
        cluster.grants.add("ann list workerclusters cluster-7/");
        cluster.grants.add("ann list workerclusters new/");
        assertThat(access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).covers("new"))
                .isFalse();

        tenants = Set.of("cluster-7", "new");

        VisibleTenants visible = access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        assertThat(visible.includes("new")).isTrue();
        assertThat(visible.includes("cluster-7")).isTrue();
        assertThat(visible.covers("cluster-8")).isFalse();
    }

    @Test
    void aPermitEndsInTimeAlsoWhenTheLookIsYoung() throws ApiProblem {
        cluster.grants.add("ann list workerclusters cluster-7/");
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        cluster.grants.clear();
        now.addAndGet(Duration.ofMillis(9_500).toNanos());
        assertThat(access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).includes("cluster-7"))
                .isTrue();

        now.addAndGet(Duration.ofMillis(500).toNanos());

        assertThat(access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).includes("cluster-7"))
                .isFalse();
    }

    @Test
    void whoComesBackAfterAWhileWaitsForTheAnswers() throws ApiProblem {
        access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS);
        cluster.grants.add("ann list workerclusters cluster-7/");

        now.addAndGet(Duration.ofMinutes(2).toNanos());

        assertThat(access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS).includes("cluster-7"))
                .isTrue();
    }

    @Test
    void withoutAnAnswerNothingIsSeen() {
        cluster.failure = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "refused");

        ApiProblem problem =
                catchThrowableOfType(ApiProblem.class, () -> access.findVisibleTenants(ANN, Resource.WORKER_CLUSTERS));

        assertThat(problem.status()).isEqualTo(503);
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition::getAsBoolean);
    }
}
