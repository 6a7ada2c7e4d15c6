package io.osmhub.core.status;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Place;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Subject;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of one object, in their order. The time of one moves only when its status does. */
final class Conditions {
    static final String READY = "Ready";

    private final @Nullable List<Condition> before;
    private final @Nullable Long generation;
    private final Instant now;
    private final List<Condition> conditions = new ArrayList<>();

    /**
     * @param before those of the object now; null without
     * @param generation that was looked at; null when it is not known
     */
    Conditions(@Nullable List<Condition> before, @Nullable Long generation, Instant now) {
        this.before = before;
        this.generation = generation;
        this.now = now;
    }

    /** What a reason says of a condition of that kind of object, for example that Rendered is False; empty for nothing. */
    static Optional<Status> statusBy(Reason reason, Subject subject, String type) {
        return reason.places().stream()
                .filter(place -> place.subject() == subject && place.condition().equals(type))
                .map(Place::status)
                .map(Conditions::status)
                .findFirst();
    }

    private static Status status(String word) {
        return switch (word) {
            case "True" -> Status.TRUE;
            case "False" -> Status.FALSE;
            default -> Status.UNKNOWN;
        };
    }

    Conditions add(String type, Status status, Diagnosis diagnosis) {
        Condition old = find(before, type);
        String since = old != null && old.status() == status ? old.lastTransitionTime() : Wording.time(now);
        conditions.add(new Condition(
                type, status, generation, since, diagnosis.reason().word(), diagnosis.message()));
        return this;
    }

    static @Nullable Condition find(@Nullable List<Condition> conditions, String type) {
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

    /** Those that were added, with Ready before them: true if all are, else what the first says that is not. */
    List<Condition> withReady(Diagnosis ready) {
        List<Condition> others = List.copyOf(conditions);
        conditions.clear();
        Condition worst = others.stream()
                .filter(condition -> condition.status() != Status.TRUE)
                .findFirst()
                .orElse(null);
        Diagnosis summary = worst == null
                ? ready
                : new Diagnosis(Reason.of(worst.reason()).orElse(Reason.InternalError), worst.message());
        add(READY, worst == null ? Status.TRUE : worst.status(), summary);
        conditions.addAll(others);
        return List.copyOf(conditions);
    }

    /** Whether a condition of a list holds. */
    static boolean holds(List<Condition> conditions, String type) {
        return Objects.requireNonNull(find(conditions, type)).status() == Status.TRUE;
    }
}
