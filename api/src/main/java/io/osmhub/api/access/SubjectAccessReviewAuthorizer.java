package io.osmhub.api.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Permissions of callers by SubjectAccessReview of the management cluster, cached briefly. Thread-safe. */
public final class SubjectAccessReviewAuthorizer implements CallerAuthorizer {
    private static final int REMEMBERED = 50_000;
    /** Concurrent reviews of all callers; they share one connection with everything else. */
    private static final int AT_A_TIME = 64;

    /** A denied list permission is reviewed again after this many cache lifetimes, plus up to as many of jitter. */
    private static final int REFUSAL_LIVES = 3;
    /** After this many lifetimes nothing is cached; a caller that returns later waits for reviews. */
    private static final int FORGOTTEN_LIVES = 12;

    /** A caller's visible tenants are assembled from the reviews of all tenants, and cached for this fraction of a lifetime. */
    private static final int LOOKS_IN_A_LIFE = 10;

    private static final int LOOKS_REMEMBERED = 2_000;

    /** 2^32 over the golden ratio: spreads neighbouring values. */
    private static final int SCATTER = 0x9E3779B9;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi management;
    private final Supplier<Set<String>> tenants;
    private final ExecutorService threads;
    private final Duration life;
    private final LongSupplier nanoTime;
    private final ReviewMetrics meter;
    private final ReviewCache<ReviewKey, Boolean> cache;
    private final ReviewCache<ListReviewKey, ListReviewResult> looks;
    private final Semaphore places = new Semaphore(AT_A_TIME);
    private final Set<ListReviewKey> renewing = ConcurrentHashMap.newKeySet();

    /** The key of a review. */
    private record ReviewKey(Caller caller, Verb verb, Resource resource, String namespace, String name) {}

    /** A list over all tenants. */
    private record ListReviewKey(Caller caller, Verb verb, Resource resource) {
        ReviewKey in(String namespace) {
            return new ReviewKey(caller, verb, resource, namespace, "");
        }
    }

    /**
     * The assembled reviews of all tenants; valid only for these.
     *
     * @param until {@code nanoTime} at which it is assembled again: no permission outlives its lifetime
     */
    private record ListReviewResult(VisibleTenants.SelectedTenants visible, long until) {}

    /**
     * A caching authorizer.
     *
     * @param tenants current namespaces of all tenants, for callers who may not see all of them; immutable, and the same object until
     *     they change
     * @param threads one virtual thread for each task
     * @param life lifetime of a cached result
     */
    public SubjectAccessReviewAuthorizer(
            KubeApi management,
            Supplier<Set<String>> tenants,
            ExecutorService threads,
            Duration life,
            LongSupplier nanoTime,
            ReviewMetrics meter) {
        this.management = management;
        this.tenants = tenants;
        this.threads = threads;
        this.life = life;
        this.nanoTime = nanoTime;
        this.meter = meter;
        this.cache = new ReviewCache<>(REMEMBERED, life, nanoTime);
        this.looks = new ReviewCache<>(LOOKS_REMEMBERED, life, nanoTime);
    }

    @Override
    public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name)
            throws ApiProblem {
        ReviewKey question = new ReviewKey(caller.withoutSession(), verb, resource, namespace, name);
        try {
            ReviewCache.CacheLookup<Boolean> answer = cache.get(question, () -> sendReview(question));
            reportReview(answer.value(), answer.fromCache());
            return answer.value();
        } catch (ApiFailure failure) {
            meter.onReviewed(ReviewMetrics.Kind.ACCESS, ReviewMetrics.Result.ERROR, false);
            throw ReviewErrors.toProblem(failure);
        } catch (InterruptedException e) {
            throw ReviewErrors.shuttingDown();
        }
    }

    @Override
    public VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) throws ApiProblem {
        if (isAllowed(caller, verb, resource, "", "")) {
            return VisibleTenants.EVERYWHERE;
        }
        ListReviewKey listing = new ListReviewKey(caller.withoutSession(), verb, resource);
        ListReviewResult known =
                looks.getWithAge(listing).map(ReviewCache.AgedValue::value).orElse(null);
        Set<String> present = tenants.get();
        if (known != null
                && nanoTime.getAsLong() - known.until() < 0
                && known.visible().asked().equals(present)) {
            return known.visible();
        }
        ListReviewResult look = reviewList(listing, present);
        looks.put(listing, look);
        return look.visible();
    }

    private ListReviewResult reviewList(ListReviewKey listing, Set<String> tenants) throws ApiProblem {
        long now = nanoTime.getAsLong();
        long until = now + life.dividedBy(LOOKS_IN_A_LIFE).toNanos();
        Set<String> seen = new HashSet<>();
        Map<String, Future<Boolean>> answers = new LinkedHashMap<>();
        List<ReviewKey> old = new ArrayList<>();
        for (String namespace : tenants) {
            // A cached result needs no thread.
            ReviewKey question = listing.in(namespace);
            ReviewCache.AgedValue<Boolean> known = cache.getWithAge(question).orElse(null);
            if (known == null || !isFresh(known)) {
                answers.put(
                        namespace,
                        threads.submit(
                                () -> isAllowed(listing.caller(), listing.verb(), listing.resource(), namespace, "")));
                continue;
            }
            reportReview(known.value(), true);
            if (known.value()) {
                seen.add(namespace);
                until = Math.min(until, now + life.minus(known.age()).toNanos());
            } else if (isOld(known, question)) {
                old.add(question);
            }
        }
        renew(listing, old);
        seen.addAll(allowed(answers));
        return new ListReviewResult(new VisibleTenants.SelectedTenants(tenants, Set.copyOf(seen)), until);
    }

    /** Waits for all results. */
    private static Set<String> allowed(Map<String, Future<Boolean>> answers) throws ApiProblem {
        Set<String> allowed = new HashSet<>();
        try {
            for (Map.Entry<String, Future<Boolean>> answer : answers.entrySet()) {
                if (answer.getValue().get()) {
                    allowed.add(answer.getKey());
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiProblem problem) {
                throw problem;
            }
            throw new IllegalStateException("review failed unexpectedly", e.getCause());
        } catch (InterruptedException e) {
            throw ReviewErrors.shuttingDown();
        } finally {
            answers.values().forEach(answer -> answer.cancel(true));
        }
        return allowed;
    }

    /**
     * A permission expires after one lifetime. A denial is cached longer: otherwise a caller with few of many tenants would wait for
     * reviews of all of them every few seconds, while a stale denial only delays the appearance of a tenant.
     */
    private boolean isFresh(ReviewCache.AgedValue<Boolean> known) {
        Duration most = known.value() ? life : life.multipliedBy(FORGOTTEN_LIVES);
        return known.age().compareTo(most) < 0;
    }

    /** Spread per tenant, even for names that differ only in the last character. */
    private boolean isOld(ReviewCache.AgedValue<Boolean> refusal, ReviewKey question) {
        int scattered = (question.namespace().hashCode() * SCATTER) >>> 16;
        long spread = (life.multipliedBy(REFUSAL_LIVES).toNanos() >> 16) * scattered;
        return refusal.age().compareTo(life.multipliedBy(REFUSAL_LIVES).plusNanos(spread)) >= 0;
    }

    /** Renews denials sequentially in the background. */
    private void renew(ListReviewKey listing, List<ReviewKey> old) {
        if (old.isEmpty() || !renewing.add(listing)) {
            return;
        }
        threads.execute(() -> {
            try {
                for (ReviewKey question : old) {
                    reportReview(cache.refresh(question, () -> sendReview(question)), false);
                }
                looks.invalidate(listing);
            } catch (ApiFailure failure) {
                // The denials remain, and the next page requests them again.
                meter.onReviewed(ReviewMetrics.Kind.ACCESS, ReviewMetrics.Result.ERROR, false);
            } finally {
                renewing.remove(listing);
            }
        });
    }

    private void reportReview(boolean allowed, boolean fromCache) {
        meter.onReviewed(
                ReviewMetrics.Kind.ACCESS,
                allowed ? ReviewMetrics.Result.ALLOWED : ReviewMetrics.Result.DENIED,
                fromCache);
    }

    private boolean sendReview(ReviewKey question) throws ApiFailure {
        places.acquireUninterruptibly();
        try {
            byte[] answer = management.send(ApiRequest.create(
                    Resource.SUBJECT_ACCESS_REVIEWS, "", body(question).toString()));
            return WireJson.response(answer, "a SubjectAccessReview")
                    .path("status")
                    .path("allowed")
                    .asBoolean();
        } finally {
            places.release();
        }
    }

    private static ObjectNode body(ReviewKey question) {
        Caller caller = question.caller();
        ObjectNode review = JSON.createObjectNode()
                .put("apiVersion", Resource.SUBJECT_ACCESS_REVIEWS.apiVersion())
                .put("kind", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec").put("user", caller.user());
        if (!caller.uid().isEmpty()) {
            spec.put("uid", caller.uid());
        }
        caller.groups().forEach(spec.putArray("groups")::add);
        ObjectNode extra = spec.putObject("extra");
        caller.extra().forEach((key, values) -> values.forEach(extra.withArray(key)::add));
        ObjectNode attributes = spec.putObject("resourceAttributes")
                .put("group", question.resource().group())
                .put("resource", question.resource().plural())
                .put("verb", question.verb().wireName());
        if (!question.namespace().isEmpty()) {
            attributes.put("namespace", question.namespace());
        }
        if (!question.name().isEmpty()) {
            attributes.put("name", question.name());
        }
        return review;
    }
}
