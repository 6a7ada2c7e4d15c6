package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.problem.Reason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps problems to API records. */
public final class ProblemEntries {
    private static final int LONGEST_MESSAGE = 1024;
    private static final String MARK = "; ";

    private ProblemEntries() {}

    static ProblemEntry of(ProblemRow row) {
        return of(row, row.affected());
    }

    /** Without the values derived from other objects of the tenant. */
    static ProblemEntry withoutAffected(ProblemRow row) {
        return of(row, null);
    }

    private static ProblemEntry of(ProblemRow row, @Nullable Integer affected) {
        Reason reason = row.reason();
        return new ProblemEntry(
                row.id(),
                reason,
                reason.severity(),
                reason.actor(),
                reason.category(),
                nullIfEmpty(row.subject().tenant()),
                nullIfEmpty(row.subject().workerCluster()),
                object(row.subject()),
                null,
                cut(row.message()),
                cutOrNull(fix(reason, row.message())),
                help(reason),
                affected,
                row.since(),
                null,
                row.resolvedAt());
    }

    /** Path of the page about a reason. */
    public static String help(Reason reason) {
        return "/docs/reference/reasons#" + reason.wireName().toLowerCase(Locale.ROOT);
    }

    static ObjectRef object(ProblemRow.ProblemSubject about) {
        boolean worker = about.kind() == ProblemRow.Kind.MACHINE_DEPLOYMENT;
        return new ObjectRef(
                worker ? ObjectRef.Cluster.WORKER : ObjectRef.Cluster.MANAGEMENT,
                about.kind().word(),
                nullIfEmpty(about.namespace()),
                about.name());
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE);
    }

    private static @Nullable String cutOrNull(@Nullable String text) {
        return text == null ? null : cut(text);
    }

    static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The part of a message that states the fix: the last clause, after a semicolon. Null if there is none. */
    static @Nullable String fix(Reason reason, String message) {
        String literal = literal(reason);
        int at = literal.isEmpty() ? -1 : message.lastIndexOf(MARK + literal);
        if (at < 0) {
            at = message.lastIndexOf(MARK);
        }
        return at < 0 ? null : message.substring(at + MARK.length());
    }

    /** The fix for any problem with a reason, without placeholders; null if there is none. */
    static @Nullable String fixInGeneral(Reason reason) {
        String literal = literal(reason).strip();
        int command = literal.indexOf(": ");
        String words = command < 0 ? literal : literal.substring(0, command);
        while (words.endsWith(":") || words.endsWith(",") || words.endsWith("(")) {
            words = words.substring(0, words.length() - 1).strip();
        }
        return words.isEmpty() ? null : words;
    }

    /** The fix of a message template, up to the first placeholder. */
    private static String literal(Reason reason) {
        String template = reason.template();
        int mark = template.indexOf(MARK);
        if (mark < 0) {
            return "";
        }
        String cure = template.substring(mark + MARK.length());
        int variable = cure.indexOf('{');
        return variable < 0 ? cure : cure.substring(0, variable);
    }
}
