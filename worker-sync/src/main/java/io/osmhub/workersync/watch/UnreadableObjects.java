package io.osmhub.workersync.watch;

import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The objects that several watches cannot read, for reports. Thread-safe. */
public final class UnreadableObjects {
    private static final int MOST_NAMED = 10;

    private final Consumer<ObjectKey> changed;
    /** By watch, because several may deliver the same object. */
    private final Map<Object, Map<ObjectKey, Problem>> found = new HashMap<>();

    /** @param changed called when an object became unreadable, became readable or was deleted; must not block */
    public UnreadableObjects(Consumer<ObjectKey> changed) {
        this.changed = changed;
    }

    /** @param cause a clause without content of the object */
    static Problem finding(Resource resource, ObjectKey key, String cause) {
        ProblemObject object = ProblemObject.of(resource.kind(), key.toString());
        Command command = key.namespace().isEmpty()
                ? Command.of(object.cluster(), "kubectl edit " + resource.plural() + " {}", key.name())
                : Command.of(
                        object.cluster(),
                        "kubectl -n {} edit " + resource.plural() + " {}",
                        key.namespace(),
                        key.name());
        return new Problem(
                        Reason.ObjectUnreadable,
                        object,
                        "",
                        "cannot be read (" + cause + "), what depends on it stays unchanged",
                        "correct it")
                .withCommand(command);
    }

    /**
     * Returns whether that is new.
     *
     * @param why null if it can be read, or is gone
     */
    boolean set(Object watch, ObjectKey key, @Nullable Problem why) {
        Problem before;
        synchronized (found) {
            Map<ObjectKey, Problem> ofWatch = found.computeIfAbsent(watch, added -> new HashMap<>());
            before = why == null ? ofWatch.remove(key) : ofWatch.put(key, why);
            if (ofWatch.isEmpty()) {
                found.remove(watch);
            }
        }
        boolean news = !Objects.equals(before, why);
        if (news) {
            changed.accept(key);
        }
        return news;
    }

    /** The watch ended. */
    void forget(Object watch) {
        Map<ObjectKey, Problem> before;
        synchronized (found) {
            before = found.remove(watch);
        }
        if (before != null) {
            before.keySet().forEach(changed);
        }
    }

    /** Why the objects that the predicate accepts cannot be read; sorted, without duplicates. */
    public List<Problem> find(Predicate<ObjectKey> which) {
        synchronized (found) {
            return found.values().stream()
                    .flatMap(ofWatch -> ofWatch.entrySet().stream())
                    .filter(entry -> which.test(entry.getKey()))
                    .map(Map.Entry::getValue)
                    .distinct()
                    .sorted(Comparator.comparing(problem -> problem.object().toString()))
                    .toList();
        }
    }

    /** One problem for all of a tenant's objects that cannot be read; empty without any. */
    public static Optional<Problem> problem(String tenant, String workerCluster, List<Problem> findings) {
        if (findings.isEmpty()) {
            return Optional.empty();
        }
        Problem first = findings.getFirst();
        String others = findings.stream()
                .skip(1)
                .limit(MOST_NAMED)
                .map(problem -> problem.object().toString())
                .collect(Collectors.joining(", "));
        Problem all = others.isEmpty()
                ? first
                : first.withEffect("nor can " + (findings.size() - 1) + " more be read: " + others);
        return Optional.of(all.inTenant(tenant, workerCluster));
    }
}
