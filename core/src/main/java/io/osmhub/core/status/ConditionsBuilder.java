package io.osmhub.core.status;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.resource.NullableCollections;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the conditions of one object, in order. A transition time changes only with the status. */
final class ConditionsBuilder {
    static final String READY = "Ready";

    private final SubjectKind subject;
    private final @Nullable List<Condition> before;
    private final @Nullable Long generation;
    private final Instant now;
    private final List<Condition> conditions = new ArrayList<>();
    private final Map<String, Problem> problems = new HashMap<>();

    /**
     * @param before the object's current conditions; null if none
     * @param generation the observed generation; null if unknown
     */
    ConditionsBuilder(SubjectKind subject, @Nullable List<Condition> before, @Nullable Long generation, Instant now) {
        this.subject = subject;
        this.before = before;
        this.generation = generation;
        this.now = now;
    }

    /** The condition status that a reason sets on that kind of object, for example Rendered=False; empty if none. */
    static Optional<Status> findStatus(Reason reason, SubjectKind subject, String type) {
        return reason.description().conditionTargets().stream()
                .filter(place -> place.subject() == subject && place.condition().equals(type))
                .map(place -> Status.valueOf(place.status().toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    /** As above; without one, a configuration's condition is False for a problem, and any other is Unknown. */
    static Status status(Reason reason, SubjectKind subject, String type) {
        boolean broken = subject == SubjectKind.CONFIG && reason.severity() != Severity.INFO;
        return findStatus(reason, subject, type).orElse(broken ? Status.FALSE : Status.UNKNOWN);
    }

    ConditionsBuilder add(String type, Problem diagnosis) {
        return add(type, diagnosis, now);
    }

    /** @param start of the status, unless it had it before */
    ConditionsBuilder add(String type, Problem diagnosis, Instant start) {
        problems.put(type, diagnosis);
        conditions.add(condition(type, status(diagnosis.reason(), subject, type), diagnosis, start));
        return this;
    }

    private Condition condition(String type, Status status, Problem diagnosis, Instant start) {
        Condition old = findCondition(before, type);
        String since =
                old != null && old.status() == status ? old.lastTransitionTime() : UnitFormatter.formatTime(start);
        return new Condition(type, status, generation, since, diagnosis.reason().wireName(), diagnosis.message());
    }

    static @Nullable Condition findCondition(@Nullable List<Condition> conditions, String type) {
        return NullableCollections.stream(conditions)
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElse(null);
    }

    /** The conditions added, preceded by Ready: True if all are, else with the reason of the first that is not. */
    List<Condition> withReady(Problem ready) {
        Condition worst = conditions.stream()
                .filter(condition -> condition.status() != Status.TRUE)
                .findFirst()
                .orElse(null);
        if (worst == null) {
            conditions.addFirst(condition(READY, Status.TRUE, ready, now));
            return List.copyOf(conditions);
        }
        // Changes together with the condition that it summarizes.
        Condition old = findCondition(before, worst.type());
        Instant start = old == null || old.status() != worst.status() ? Instant.parse(worst.lastTransitionTime()) : now;
        Problem shown = Objects.requireNonNull(problems.get(worst.type()));
        conditions.addFirst(condition(READY, worst.status(), shown, start));
        return List.copyOf(conditions);
    }

    /** Whether a condition is True. */
    static boolean isTrue(List<Condition> conditions, String type) {
        return Objects.requireNonNull(findCondition(conditions, type)).status() == Status.TRUE;
    }
}
