package io.osmhub.core.problem;

/**
 * Where a reason is shown: a condition with its status, or an object alone when there is only an Event or a problem entry.
 *
 * @param condition for example {@code RenderSummary}; empty if none
 * @param status {@code True}, {@code False} or {@code Unknown}; empty without a condition
 */
public record ConditionTarget(SubjectKind subject, String condition, String status) {
    /** Reads {@code OSC/Rendered=False} or {@code MD}. */
    static ConditionTarget of(String notation) {
        int slash = notation.indexOf('/');
        if (slash < 0) {
            return new ConditionTarget(SubjectKind.of(notation), "", "");
        }
        int equals = notation.indexOf('=', slash);
        return new ConditionTarget(
                SubjectKind.of(notation.substring(0, slash)),
                notation.substring(slash + 1, equals),
                notation.substring(equals + 1));
    }

    /** In the notation of the list of reasons. */
    @Override
    public String toString() {
        return condition.isEmpty() ? subject.shortForm() : subject.shortForm() + "/" + condition + "=" + status;
    }
}
