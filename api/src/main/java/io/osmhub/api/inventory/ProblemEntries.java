package io.osmhub.api.inventory;

import io.osmhub.api.inventory.ProblemRow.ProblemSubject;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps problems to API records. */
public final class ProblemEntries {
    /** Shorter causes, such as "not set", need their place. */
    private static final int CLEAR = 16;

    private ProblemEntries() {}

    static ProblemEntry of(ProblemRow row) {
        ObjectRef object = object(row.subject());
        return of(row.subject(), row.problem(), object, row.affected(), row.since(), row.resolvedAt(), row.cause());
    }

    /** An open problem of one subject, with the object that is wrong. */
    public static ProblemEntry of(ProblemSubject about, Problem problem, Instant since) {
        return of(about, problem, faulty(about, problem), null, since, null, "");
    }

    /** The object that is wrong, which need not be the subject. */
    static ObjectRef faulty(ProblemSubject about, Problem problem) {
        ProblemObject wrong = problem.object();
        String tenant = wrong.cluster() == Cluster.MANAGEMENT ? about.tenant() : "";
        return wrong.kind().isEmpty()
                ? object(about)
                : new ObjectRef(
                        wrong.cluster(),
                        wrong.kind(),
                        nullIfEmpty(wrong.namespace().isEmpty() ? tenant : wrong.namespace()),
                        wrong.name());
    }

    private static ProblemEntry of(
            ProblemSubject about,
            Problem problem,
            ObjectRef object,
            @Nullable Integer affected,
            Instant since,
            @Nullable Instant resolvedAt,
            String cause) {
        Reason reason = problem.reason();
        ObjectRef faulty = faulty(about, problem);
        return new ProblemEntry(
                ProblemRow.idOf(about, reason),
                new ProblemEntry.ProblemClassification(
                        reason, reason.severity(), problem.actor(), reason.category(), nullIfEmpty(cause)),
                new ProblemEntry.AffectedObject(
                        nullIfEmpty(about.tenant()), nullIfEmpty(about.workerCluster()), object),
                new ProblemEntry.ProblemPlace(
                        faulty.equals(object) ? null : faulty,
                        nullIfEmpty(problem.withObject(ProblemObject.NONE).place()),
                        nullIfEmpty(problem.field()),
                        known(problem.position().line()),
                        known(problem.position().column()),
                        null),
                new ProblemEntry.ProblemText(problem.message(), headline(problem)),
                new ProblemEntry.ProblemFix(
                        problem.fix(),
                        command(problem),
                        commandCluster(problem),
                        "/docs/reference/reasons#" + reason.wireName().toLowerCase(Locale.ROOT)),
                new ProblemEntry.ProblemCourse(affected, since, resolvedAt));
    }

    /** The cause as a headline; with its place if it is unclear without. */
    static String headline(Problem problem) {
        String cause = problem.cause();
        return capital(cause.length() >= CLEAR || problem.place().isEmpty() ? cause : problem.place() + ": " + cause);
    }

    /** With a leading capital, unless the first word may be a name, URL or path. */
    public static String capital(String clause) {
        int end = 0;
        while (end < clause.length() && Character.isLowerCase(clause.charAt(end))) {
            end++;
        }
        boolean word = end == clause.length()
                || !Character.isLetterOrDigit(clause.charAt(end)) && "_./:-".indexOf(clause.charAt(end)) < 0;
        return end == 0 || !word ? clause : clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1);
    }

    /** Null for none. */
    static @Nullable String command(Problem problem) {
        return nullIfEmpty(problem.command().text());
    }

    /** Where the command has to run; null without a command. */
    static @Nullable Cluster commandCluster(Problem problem) {
        return problem.command().isEmpty() ? null : problem.command().cluster();
    }

    private static @Nullable Integer known(int number) {
        return number > 0 ? Integer.valueOf(number) : null;
    }

    static ObjectRef object(ProblemSubject about) {
        boolean worker = about.kind() == ProblemRow.Kind.MACHINE_DEPLOYMENT;
        return new ObjectRef(
                worker ? Cluster.WORKER : Cluster.MANAGEMENT,
                about.kind().word(),
                nullIfEmpty(about.namespace()),
                about.name());
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
