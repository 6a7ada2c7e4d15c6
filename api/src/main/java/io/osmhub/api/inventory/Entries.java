package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.problem.Reason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Problems as the API shows them. */
public final class Entries {
    private static final int LONGEST_MESSAGE = 1024;

    private Entries() {}

    static ProblemEntry of(ProblemRow row) {
        return of(row, row.affected());
    }

    /** Without what only the other objects of its tenant tell. */
    static ProblemEntry alone(ProblemRow row) {
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
                nullIfEmpty(row.about().tenant()),
                nullIfEmpty(row.about().workerCluster()),
                object(row.about()),
                null,
                cut(row.message()),
                cutOrNull(Cure.of(reason, row.message())),
                help(reason),
                affected,
                row.since(),
                null,
                row.resolvedAt());
    }

    /** Path of the page about a reason. */
    public static String help(Reason reason) {
        return "/docs/operating#" + reason.word().toLowerCase(Locale.ROOT);
    }

    static ObjectRef object(ProblemRow.About about) {
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
}
