package io.osmhub.api.access;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
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
import org.jspecify.annotations.Nullable;

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

    private final KubeApi managementApi;
    private final Supplier<Set<String>> tenants;
    private final ExecutorService executor;
    private final Duration lifetime;
    private final LongSupplier nanoTime;
    private final ReviewMetrics reviewMetrics;
    private final ReviewCache<ReviewKey, Boolean> reviewCache;
    private final ReviewCache<ListReviewKey, ListReviewResult> listReviewCache;
    private final Semaphore reviewPermits = new Semaphore(AT_A_TIME);
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
     * @param executor one virtual thread for each task
     * @param lifetime lifetime of a cached result
     */
    public SubjectAccessReviewAuthorizer(
            KubeApi managementApi,
            Supplier<Set<String>> tenants,
            ExecutorService executor,
            Duration lifetime,
            LongSupplier nanoTime,
            ReviewMetrics reviewMetrics) {
        this.managementApi = managementApi;
        this.tenants = tenants;
        this.executor = executor;
        this.lifetime = lifetime;
        this.nanoTime = nanoTime;
        this.reviewMetrics = reviewMetrics;
        this.reviewCache = new ReviewCache<>(REMEMBERED, lifetime, nanoTime);
        this.listReviewCache = new ReviewCache<>(LOOKS_REMEMBERED, lifetime, nanoTime);
    }

    @Override
    public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name)
            throws ApiProblem {
        ReviewKey question = new ReviewKey(caller.withoutSession(), verb, resource, namespace, name);
        try {
            ReviewCache.CacheLookup<Boolean> answer = reviewCache.get(question, () -> sendReview(question));
            reportReview(answer.value(), answer.fromCache());
            return answer.value();
        } catch (ApiFailure failure) {
            reviewMetrics.onReviewed(ReviewMetrics.Kind.ACCESS, ReviewMetrics.Result.ERROR, false);
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
        ListReviewResult known = listReviewCache
                .getWithAge(listing)
                .map(ReviewCache.AgedValue::value)
                .orElse(null);
        Set<String> present = tenants.get();
        if (known != null
                && nanoTime.getAsLong() - known.until() < 0
                && known.visible().asked().equals(present)) {
            return known.visible();
        }
        ListReviewResult look = reviewList(listing, present);
        listReviewCache.put(listing, look);
        return look.visible();
    }

    private ListReviewResult reviewList(ListReviewKey listing, Set<String> tenants) throws ApiProblem {
        long now = nanoTime.getAsLong();
        long until = now + lifetime.dividedBy(LOOKS_IN_A_LIFE).toNanos();
        Set<String> seen = new HashSet<>();
        Map<String, Future<Boolean>> answers = new LinkedHashMap<>();
        List<ReviewKey> old = new ArrayList<>();
        for (String namespace : tenants) {
            // A cached result needs no thread.
            ReviewKey question = listing.in(namespace);
            ReviewCache.AgedValue<Boolean> known =
                    reviewCache.getWithAge(question).orElse(null);
            if (known == null || !isFresh(known)) {
                answers.put(
                        namespace,
                        executor.submit(
                                () -> isAllowed(listing.caller(), listing.verb(), listing.resource(), namespace, "")));
                continue;
            }
            reportReview(known.value(), true);
            if (known.value()) {
                seen.add(namespace);
                until = Math.min(until, now + lifetime.minus(known.age()).toNanos());
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
        Duration most = known.value() ? lifetime : lifetime.multipliedBy(FORGOTTEN_LIVES);
        return known.age().compareTo(most) < 0;
    }

    /** Spread per tenant, even for names that differ only in the last character. */
    private boolean isOld(ReviewCache.AgedValue<Boolean> refusal, ReviewKey question) {
        int scattered = (question.namespace().hashCode() * SCATTER) >>> 16;
        long spread = (lifetime.multipliedBy(REFUSAL_LIVES).toNanos() >> 16) * scattered;
        return refusal.age().compareTo(lifetime.multipliedBy(REFUSAL_LIVES).plusNanos(spread)) >= 0;
    }

    /** Renews denials sequentially in the background. */
    private void renew(ListReviewKey listing, List<ReviewKey> old) {
        if (old.isEmpty() || !renewing.add(listing)) {
            return;
        }
        executor.execute(() -> {
            try {
                for (ReviewKey question : old) {
                    reportReview(reviewCache.refresh(question, () -> sendReview(question)), false);
                }
                listReviewCache.invalidate(listing);
            } catch (ApiFailure failure) {
                // The denials remain, and the next page requests them again.
                reviewMetrics.onReviewed(ReviewMetrics.Kind.ACCESS, ReviewMetrics.Result.ERROR, false);
            } finally {
                renewing.remove(listing);
            }
        });
    }

    private void reportReview(boolean allowed, boolean fromCache) {
        reviewMetrics.onReviewed(
                ReviewMetrics.Kind.ACCESS,
                allowed ? ReviewMetrics.Result.ALLOWED : ReviewMetrics.Result.DENIED,
                fromCache);
    }

    private boolean sendReview(ReviewKey question) throws ApiFailure {
        reviewPermits.acquireUninterruptibly();
        try {
            SubjectAccessReview answer = managementApi.call(
                    client -> client.authorization().v1().subjectAccessReview().create(review(question)));
            return answer.getStatus() != null
                    && Boolean.TRUE.equals(answer.getStatus().getAllowed());
        } finally {
            reviewPermits.release();
        }
    }

    private static SubjectAccessReview review(ReviewKey question) {
        Caller caller = question.caller();
        return new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(caller.user())
                .withUid(emptyToNull(caller.uid()))
                .withGroups(caller.groups())
                .withExtra(caller.extra())
                .withNewResourceAttributes()
                .withGroup(question.resource().group())
                .withResource(question.resource().plural())
                .withVerb(question.verb().wireName())
                .withNamespace(emptyToNull(question.namespace()))
                .withName(emptyToNull(question.name()))
                .endResourceAttributes()
                .endSpec()
                .build();
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
