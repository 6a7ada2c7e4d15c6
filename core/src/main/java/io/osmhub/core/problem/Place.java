package io.osmhub.core.problem;

/**
 * Where a reason shows: a condition with its status, or an object alone when there is only an Event or an entry in a list
 * of problems.
 *
 * @param condition for example {@code Rendered}; empty when there is none
 * @param status {@code True}, {@code False} or {@code Unknown}; empty when there is no condition
 */
public record Place(Subject subject, String condition, String status) {
    /** Reads {@code OSC/Rendered=False} or {@code MD}. */
    static Place of(String notation) {
        int slash = notation.indexOf('/');
        if (slash < 0) {
            return new Place(Subject.of(notation), "", "");
        }
        int equals = notation.indexOf('=', slash);
        return new Place(
                Subject.of(notation.substring(0, slash)),
                notation.substring(slash + 1, equals),
                notation.substring(equals + 1));
    }

    /** In the notation of the list of reasons. */
    @Override
    public String toString() {
        return condition.isEmpty() ? subject.shortForm() : subject.shortForm() + "/" + condition + "=" + status;
    }
}
