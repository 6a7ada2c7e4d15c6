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
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi management;
    private final Supplier<? extends Collection<String>> tenants;
    private final ExecutorService threads;
    private final ReviewMeter meter;
    private final ReviewCache<Question, Boolean> cache;
    private final Semaphore places = new Semaphore(AT_A_TIME);

    /** All that an answer depends on. */
    private record Question(Caller caller, Verb verb, Resource resource, String namespace, String name) {}

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
        Caller identity = caller.identity();
        Set<String> seen = new HashSet<>();
        Map<String, Future<Boolean>> answers = new LinkedHashMap<>();
        for (String namespace : List.copyOf(tenants.get())) {
            // What is remembered is worth no thread: a page asks about every tenant.
            Optional<Boolean> known = cache.known(new Question(identity, verb, resource, namespace, ""));
            if (known.isEmpty()) {
                answers.put(namespace, threads.submit(() -> may(caller, verb, resource, namespace, "")));
            } else {
                reviewed(known.get(), true);
                if (known.get()) {
                    seen.add(namespace);
                }
            }
        }
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
