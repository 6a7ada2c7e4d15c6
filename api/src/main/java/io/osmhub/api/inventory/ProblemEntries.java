package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.problem.ProblemMessage;
import io.osmhub.core.problem.Reason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps problems to API records. */
public final class ProblemEntries {
    private static final int LONGEST_MESSAGE = 1024;

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
        ProblemMessage parts = row.parts();
        return new ProblemEntry(
                row.id(),
                reason,
                reason.severity(),
                reason.actor(),
                reason.category(),
                nullIfEmpty(row.subject().tenant()),
                nullIfEmpty(row.subject().workerCluster()),
                object(row.subject()),
                nullIfEmpty(parts.field()),
                cut(row.message()),
                cut(parts.headline()),
                parts.fix(),
                nullIfEmpty(parts.command()),
                help(reason),
                affected,
                row.since(),
                null,
                row.resolvedAt(),
                nullIfEmpty(row.cause()),
                null);
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

    static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
