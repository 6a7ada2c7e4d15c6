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

    /** What a caller sees is put together from the answers of all tenants, and stands for this part of an answer's life. */
    private static final int LOOKS_IN_A_LIFE = 10;

    private static final int LOOKS_REMEMBERED = 2_000;

    /** 2^32 over the golden ratio: neighbours in, far from each other out. */
    private static final int SCATTER = 0x9E3779B9;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi management;
    private final Supplier<Set<String>> tenants;
    private final ExecutorService threads;
    private final Duration life;
    private final LongSupplier nanoTime;
    private final ReviewMeter meter;
    private final ReviewCache<Question, Boolean> cache;
    private final ReviewCache<Listing, Look> looks;
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
     * What the answers of all tenants came to. It holds for no other tenants.
     *
     * @param until moment of {@code nanoTime} after which it is put together anew: no permit that it holds is older than its life
     */
    private record Look(Visible.Some visible, long until) {}

    /**
     * Reviews with a memory.
     *
     * @param tenants namespaces of all tenants at each moment, for callers who may not see all of them; never changed, and the same
     *     object until there are others
     * @param threads one virtual thread for each task
     * @param life how long an answer holds
     */
    public AccessReviews(
            KubeApi management,
            Supplier<Set<String>> tenants,
            ExecutorService threads,
            Duration life,
            LongSupplier nanoTime,
            ReviewMeter meter) {
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
            return Visible.EVERYWHERE;
        }
        Listing listing = new Listing(caller.identity(), verb, resource);
        Look known = looks.last(listing).orElse(null);
        Set<String> present = tenants.get();
        if (known != null
                && nanoTime.getAsLong() - known.until() < 0
                && known.visible().asked().equals(present)) {
            return known.visible();
        }
        Look look = look(listing, present);
        looks.keep(listing, look);
        return look.visible();
    }

    private Look look(Listing listing, Set<String> tenants) throws ApiProblem {
        long now = nanoTime.getAsLong();
        long until = now + life.dividedBy(LOOKS_IN_A_LIFE).toNanos();
        Set<String> seen = new HashSet<>();
        Map<String, Future<Boolean>> answers = new LinkedHashMap<>();
        List<Question> old = new ArrayList<>();
        for (String namespace : tenants) {
            // What is remembered is worth no thread.
            Question question = listing.in(namespace);
            ReviewCache.Aged<Boolean> known = cache.aged(question).orElse(null);
            if (known == null || !holds(known)) {
                answers.put(
                        namespace,
                        threads.submit(() -> may(listing.caller(), listing.verb(), listing.resource(), namespace, "")));
                continue;
            }
            reviewed(known.value(), true);
            if (known.value()) {
                seen.add(namespace);
                until = Math.min(until, now + life.minus(known.age()).toNanos());
            } else if (isOld(known, question)) {
                old.add(question);
            }
        }
        renew(listing, old);
        seen.addAll(allowed(answers));
        return new Look(new Visible.Some(listing.caller(), tenants, Set.copyOf(seen)), until);
    }

    /** Waits for all answers. */
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
            throw new IllegalStateException("a review ended in a fault", e.getCause());
        } catch (InterruptedException e) {
            throw Unavailable.stopping();
        } finally {
            answers.values().forEach(answer -> answer.cancel(true));
        }
        return allowed;
    }

    /**
     * Leave to see a tenant holds for one life of an answer, as everywhere. A refusal holds longer here: a caller of few tenants among
     * many would wait for all of them every few seconds, and what an old refusal can do wrong is to show a tenant somewhat late.
     */
    private boolean holds(ReviewCache.Aged<Boolean> known) {
        Duration most = known.value() ? life : life.multipliedBy(FORGOTTEN_LIVES);
        return known.age().compareTo(most) < 0;
    }

    /** Not all at once: each tenant has its own time. Names that differ in their last character only are spread as well. */
    private boolean isOld(ReviewCache.Aged<Boolean> refusal, Question question) {
        int scattered = (question.namespace().hashCode() * SCATTER) >>> 16;
        long spread = (life.multipliedBy(REFUSAL_LIVES).toNanos() >> 16) * scattered;
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
                looks.forget(listing);
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
