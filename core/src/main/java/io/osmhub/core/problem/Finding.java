package io.osmhub.core.problem;

/**
 * One thing that is wrong.
 *
 * @param reason CamelCase word for programs, from the list of reasons, for example {@code TemplateSyntaxError}
 * @param object what it is about, for example {@code OperatingSystemProfile osp-ubuntu}; empty when there is only one
 * @param field path in the object, for example {@code spec.bootstrapConfig.files[3] (/opt/bin/setup)}; empty when it is
 *     the whole
 * @param line in the text of the field, from 1; 0 when it has none
 * @param column from 1; 0 when unknown
 * @param what the cause, one clause
 * @param cure how to mend it, one clause; empty when the cause says it
 */
public record Finding(String reason, String object, String field, int line, int column, String what, String cure) {
    public Finding(String reason, String object, String field, String what, String cure) {
        this(reason, object, field, 0, 0, what, cure);
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
