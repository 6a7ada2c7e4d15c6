package io.osmhub.core.problem;

/**
 * One thing that is wrong.
 *
 * @param reason CamelCase name from the list of reasons, for example {@code TemplateSyntaxError}
 * @param object for example {@code OperatingSystemProfile osp-ubuntu}; empty when there is only one
 * @param field path in the object, for example {@code spec.bootstrapConfig.files[3] (/opt/bin/setup)}; empty for the whole object
 * @param line in the text of the field, from 1; 0 if none
 * @param column from 1; 0 if unknown
 * @param what the cause, one clause
 * @param cure how to fix it, one clause; empty if the cause implies it
 */
public record ProblemFinding(
        String reason, String object, String field, int line, int column, String what, String cure) {
    public ProblemFinding(String reason, String object, String field, String what, String cure) {
        this(reason, object, field, 0, 0, what, cure);
    }

    /** The finding in a tenant's settings, which names a field of {@code spec} and no object, with its WorkerCluster. */
    public ProblemFinding ofWorkerCluster(String workerCluster) {
        return object.isEmpty()
                ? new ProblemFinding(
                        reason, "WorkerCluster " + workerCluster, field.isEmpty() ? "" : "spec." + field, what, cure)
                : this;
    }

    /** The same with a further clause of the cause. */
    public ProblemFinding withEffect(String effect) {
        return new ProblemFinding(reason, object, field, line, column, what + ", " + effect, cure);
    }

    /** The same with a fix. */
    public ProblemFinding withFix(String fix) {
        return new ProblemFinding(reason, object, field, line, column, what, fix);
    }

    /** One line for people: {@code object, field line 12:7: what; cure}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(object);
        if (!field.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ").append(field);
        }
        if (line > 0) {
            text.append(" line ").append(line);
            if (column > 0) {
                text.append(':').append(column);
            }
        }
        text.append(text.isEmpty() ? "" : ": ").append(what);
        if (!cure.isEmpty()) {
            text.append("; ").append(cure);
        }
        return text.toString();
    }
}
