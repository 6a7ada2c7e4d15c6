package io.osmhub.core.status;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.ConditionTarget;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the conditions of one object, in order. A transition time changes only with the status. */
final class ConditionsBuilder {
    static final String READY = "Ready";

    private final @Nullable List<Condition> before;
    private final @Nullable Long generation;
    private final Instant now;
    private final List<Condition> conditions = new ArrayList<>();

    /**
     * @param before the object's current conditions; null if none
     * @param generation the observed generation; null if unknown
     */
    ConditionsBuilder(@Nullable List<Condition> before, @Nullable Long generation, Instant now) {
        this.before = before;
        this.generation = generation;
        this.now = now;
    }

    /** The condition status that a reason sets on that kind of object, for example Rendered=False; empty if none. */
    static Optional<Status> findStatus(Reason reason, SubjectKind subject, String type) {
        return reason.conditionTargets().stream()
                .filter(place -> place.subject() == subject && place.condition().equals(type))
                .map(ConditionTarget::status)
                .map(ConditionsBuilder::status)
                .findFirst();
    }

    private static Status status(String word) {
        return switch (word) {
            case "True" -> Status.TRUE;
            case "False" -> Status.FALSE;
            default -> Status.UNKNOWN;
        };
    }

    ConditionsBuilder add(String type, Status status, ReasonMessage diagnosis) {
        return add(type, status, diagnosis, now);
    }

    /** @param start of the status, unless it had it before */
    ConditionsBuilder add(String type, Status status, ReasonMessage diagnosis, Instant start) {
        Condition old = findCondition(before, type);
        String since =
                old != null && old.status() == status ? old.lastTransitionTime() : UnitFormatter.formatTime(start);
        conditions.add(new Condition(
                type, status, generation, since, diagnosis.reason().wireName(), diagnosis.message()));
        return this;
    }

    static @Nullable Condition findCondition(@Nullable List<Condition> conditions, String type) {
        if (conditions == null) {
            return null;
        }
        for (Condition condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /** The conditions added, preceded by Ready: True if all are, else with the reason of the first that is not. */
    List<Condition> withReady(ReasonMessage ready) {
        List<Condition> others = List.copyOf(conditions);
        conditions.clear();
        Condition worst = others.stream()
                .filter(condition -> condition.status() != Status.TRUE)
                .findFirst()
                .orElse(null);
        ReasonMessage summary = worst == null
                ? ready
                : new ReasonMessage(Reason.of(worst.reason()).orElse(Reason.InternalError), worst.message());
        Instant start = now;
        if (worst != null) {
            // Changes together with the condition that it summarizes.
            Condition old = findCondition(before, worst.type());
            if (old == null || old.status() != worst.status()) {
                start = Instant.parse(worst.lastTransitionTime());
            }
        }
        add(READY, worst == null ? Status.TRUE : worst.status(), summary, start);
        conditions.addAll(others);
        return List.copyOf(conditions);
    }

    /** Whether a condition is True. */
    static boolean isTrue(List<Condition> conditions, String type) {
        return Objects.requireNonNull(findCondition(conditions, type)).status() == Status.TRUE;
    }
}
