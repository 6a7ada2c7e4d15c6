package io.osmhub.api.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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

/** What callers may do, by SubjectAccessReview of the management cluster, remembered for a moment. Safe for use by many threads. */
public final class AccessReviews implements Access {
    private static final int REMEMBERED = 50_000;
    /** Reviews under way at a time for all callers; they share one connection with everything else. */
    private static final int AT_A_TIME = 64;

    /** A refusal to list a tenant's objects is asked for again after so many lives of an answer, and up to as many later. */
    private static final int REFUSAL_LIVES = 3;
    /** After so many lives nothing is left of it: who comes back after a while waits for the answers. */
    private static final int FORGOTTEN_LIVES = 12;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi management;
    private final Supplier<? extends Collection<String>> tenants;
    private final ExecutorService threads;
    private final Duration life;
    private final ReviewMeter meter;
    private final ReviewCache<Question, Boolean> cache;
    private final Semaphore places = new Semaphore(AT_A_TIME);
    private final Set<Listing> renewing = ConcurrentHashMap.newKeySet();

    /** All that an answer depends on. */
    private record Question(Caller caller, Verb verb, Resource resource, String namespace, String name) {}

    /** What somebody lists over all tenants. */
    private record Listing(Caller caller, Verb verb, Resource resource) {
        Question in(String namespace) {
            return new Question(caller, verb, resource, namespace, "");
        }
    }

    /**
     * Reviews with a memory.
     *
     * @param tenants namespaces of all tenants at each moment, for callers who may not see all of them
     * @param threads one virtual thread for each task
     * @param life how long an answer holds
     */
    public AccessReviews(
            KubeApi management,
            Supplier<? extends Collection<String>> tenants,
            ExecutorService threads,
            Duration life,
            LongSupplier nanoTime,
            ReviewMeter meter) {
        this.management = management;
        this.tenants = tenants;
        this.threads = threads;
        this.life = life;
        this.meter = meter;
        this.cache = new ReviewCache<>(REMEMBERED, life, nanoTime);
    }

    @Override
    public boolean may(Caller caller, Verb verb, Resource resource, String namespace, String name) throws ApiProblem {
        Question question = new Question(caller.identity(), verb, resource, namespace, name);
        try {
            ReviewCache.Answer<Boolean> answer = cache.get(question, () -> ask(question));
            reviewed(answer.value(), answer.fromCache());
            return answer.value();
        } catch (ApiFailure failure) {
            meter.reviewed(ReviewMeter.Kind.ACCESS, ReviewMeter.Result.ERROR, false);
            throw Unavailable.because(failure);
        } catch (InterruptedException e) {
            throw Unavailable.stopping();
        }
    }

    @Override
    public Visible visible(Caller caller, Verb verb, Resource resource) throws ApiProblem {
        if (may(caller, verb, resource, "", "")) {
            return new Decided(true, Set.of());
        }
        Listing listing = new Listing(caller.identity(), verb, resource);
        Set<String> seen = new HashSet<>();
        Map<String, Future<Boolean>> answers = new LinkedHashMap<>();
        List<Question> old = new ArrayList<>();
        for (String namespace : List.copyOf(tenants.get())) {
            // What is remembered is worth no thread: a page asks about every tenant.
            Question question = listing.in(namespace);
            ReviewCache.Aged<Boolean> known = cache.aged(question).orElse(null);
            if (known == null || !holds(known)) {
                answers.put(namespace, threads.submit(() -> may(caller, verb, resource, namespace, "")));
                continue;
            }
            reviewed(known.value(), true);
            if (known.value()) {
                seen.add(namespace);
            } else if (isOld(known, question)) {
                old.add(question);
            }
        }
        renew(listing, old);
        try {
            for (Map.Entry<String, Future<Boolean>> answer : answers.entrySet()) {
                if (answer.getValue().get()) {
                    seen.add(answer.getKey());
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiProblem problem) {
                throw problem;
            }
            throw new IllegalStateException("a review ended in a fault", e.getCause());
        } catch (InterruptedException e) {
            throw Unavailable.stopping();
        } finally {
            answers.values().forEach(answer -> answer.cancel(true));
        }
        return new Decided(false, Set.copyOf(seen));
    }

    /**
     * Leave to see a tenant holds for one life of an answer, as everywhere. A refusal holds longer here: a caller of few tenants among
     * many would wait for all of them every few seconds, and what an old refusal can do wrong is to show a tenant somewhat late.
     */
    private boolean holds(ReviewCache.Aged<Boolean> known) {
        Duration most = known.value() ? life : life.multipliedBy(FORGOTTEN_LIVES);
        return known.age().compareTo(most) < 0;
    }

    /** Not all at once: each tenant has its own time. */
    private boolean isOld(ReviewCache.Aged<Boolean> refusal, Question question) {
        long spread = Math.floorMod(question.namespace().hashCode(), 1000)
                * life.multipliedBy(REFUSAL_LIVES).toNanos()
                / 1000;
        return refusal.age().compareTo(life.multipliedBy(REFUSAL_LIVES).plusNanos(spread)) >= 0;
    }

    /** Asks again for refusals, one after the other and while nobody waits. */
    private void renew(Listing listing, List<Question> old) {
        if (old.isEmpty() || !renewing.add(listing)) {
            return;
        }
        threads.execute(() -> {
            try {
                for (Question question : old) {
                    reviewed(cache.renew(question, () -> ask(question)), false);
                }
            } catch (ApiFailure failure) {
                // The refusals stand, and the next page asks again.
                meter.reviewed(ReviewMeter.Kind.ACCESS, ReviewMeter.Result.ERROR, false);
            } finally {
                renewing.remove(listing);
            }
        });
    }

    private void reviewed(boolean allowed, boolean fromCache) {
        meter.reviewed(
                ReviewMeter.Kind.ACCESS, allowed ? ReviewMeter.Result.ALLOWED : ReviewMeter.Result.DENIED, fromCache);
    }

    private record Decided(boolean all, Set<String> namespaces) implements Visible {
        @Override
        public boolean sees(String namespace) {
            return all || namespaces.contains(namespace);
        }
    }

    private boolean ask(Question question) throws ApiFailure {
        places.acquireUninterruptibly();
        try {
            byte[] answer = management.send(ApiRequest.create(
                    Resource.SUBJECT_ACCESS_REVIEWS, "", body(question).toString()));
            return Unavailable.read(answer).path("status").path("allowed").asBoolean();
        } finally {
            places.release();
        }
    }

    private static ObjectNode body(Question question) {
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
                .put("verb", question.verb().word());
        if (!question.namespace().isEmpty()) {
            attributes.put("namespace", question.namespace());
        }
        if (!question.name().isEmpty()) {
            attributes.put("name", question.name());
        }
        return review;
    }
}
