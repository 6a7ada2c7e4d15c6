package io.osmhub.workersync.watch;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
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
    private final Map<Object, Map<ObjectKey, ProblemFinding>> found = new HashMap<>();

    /** @param changed called when an object became unreadable, became readable or was deleted; must not block */
    public UnreadableObjects(Consumer<ObjectKey> changed) {
        this.changed = changed;
    }

    /** @param cause a clause without content of the object */
    static ProblemFinding finding(Resource resource, ObjectKey key, String cause) {
        String namespace = key.namespace().isEmpty() ? "" : " -n " + MessageFormatter.quote(key.namespace());
        return new ProblemFinding(
                Reason.ObjectUnreadable.wireName(),
                resource.kind() + " " + MessageFormatter.quote(key.toString()),
                "",
                "cannot be read (" + cause + "), what depends on it stays unchanged",
                "correct it: kubectl" + namespace + " edit " + resource.plural() + " "
                        + MessageFormatter.quote(key.name()));
    }

    /**
     * Returns whether that is new.
     *
     * @param why null if it can be read, or is gone
     */
    boolean set(Object watch, ObjectKey key, @Nullable ProblemFinding why) {
        ProblemFinding before;
        synchronized (found) {
            Map<ObjectKey, ProblemFinding> ofWatch = found.computeIfAbsent(watch, added -> new HashMap<>());
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
        Map<ObjectKey, ProblemFinding> before;
        synchronized (found) {
            before = found.remove(watch);
        }
        if (before != null) {
            before.keySet().forEach(changed);
        }
    }

    /** Why the objects that the predicate accepts cannot be read; sorted, without duplicates. */
    public List<ProblemFinding> find(Predicate<ObjectKey> which) {
        synchronized (found) {
            return found.values().stream()
                    .flatMap(ofWatch -> ofWatch.entrySet().stream())
                    .filter(entry -> which.test(entry.getKey()))
                    .map(Map.Entry::getValue)
                    .distinct()
                    .sorted(Comparator.comparing(ProblemFinding::object))
                    .toList();
        }
    }

    /** One problem for all of a tenant's objects that cannot be read; empty without any. */
    public static Optional<ReasonMessage> problem(String tenant, List<ProblemFinding> findings) {
        if (findings.isEmpty()) {
            return Optional.empty();
        }
        ProblemFinding first = findings.getFirst();
        String others = findings.stream()
                .skip(1)
                .limit(MOST_NAMED)
                .map(ProblemFinding::object)
                .collect(Collectors.joining(", "));
        return Optional.of(ReasonMessage.of(
                tenant,
                others.isEmpty()
                        ? first
                        : first.withEffect("nor can " + (findings.size() - 1) + " more be read: " + others)));
    }
}
