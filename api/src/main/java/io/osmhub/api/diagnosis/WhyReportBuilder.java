package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a report from a snapshot. Pure. */
final class WhyReportBuilder {
    private static final int MOST_PROBLEMS = 20;
    private static final int MOST_MACHINES = 50;
    private static final int LONGEST = 1024;

    private WhyReportBuilder() {}

    static WhyReport build(DiagnosisSnapshot situation) {
        DiagnosisOutcome standing = DiagnosisOutcome.of(situation);
        DiagnosisSubject subject = situation.subject();
        ObjectRef machineDeployment =
                new ObjectRef(Cluster.WORKER, "MachineDeployment", subject.namespace(), subject.name());
        boolean ofMachine = !subject.machine().isEmpty();
        String verdict = verdict(situation, standing);
        return new WhyReport(
                ofMachine
                        ? new ObjectRef(Cluster.WORKER, "Machine", subject.namespace(), subject.machine())
                        : machineDeployment,
                ofMachine ? machineDeployment : null,
                standing.newNodes(),
                verdict.substring(0, Math.min(LONGEST, verdict.length())),
                standing.since(),
                standing.cause() == null ? null : standing.cause().toEntry(),
                problems(situation, standing.cause(), MOST_PROBLEMS),
                new ChainBuilder(situation, standing).buildLinks(),
                waiting(situation),
                situation.now(),
                situation.unansweredBy());
    }

    /** Open problems, worst and oldest first; aggregates over MachineDeployments are redundant here. */
    static List<ProblemEntry> problems(DiagnosisSnapshot situation, @Nullable DiagnosedProblem except, int most) {
        return situation.troubles().stream()
                .filter(trouble -> trouble.reason() != Reason.MachineDeploymentsFailing && !trouble.equals(except))
                .sorted(Comparator.comparing(
                                (DiagnosedProblem trouble) -> trouble.reason().severity())
                        .thenComparing(DiagnosedProblem::since))
                .limit(most)
                .map(DiagnosedProblem::toEntry)
                .toList();
    }

    private static List<String> waiting(DiagnosisSnapshot situation) {
        return situation.machines() == null
                ? List.of()
                : situation.machines().waiting().stream().limit(MOST_MACHINES).toList();
    }

    private static String verdict(DiagnosisSnapshot situation, DiagnosisOutcome standing) {
        DiagnosisSubject subject = situation.subject();
        boolean machine = !subject.machine().isEmpty();
        String nodes = machine
                ? "machine " + subject.machine() + " of " + subject.machineDeployment()
                : "new nodes of " + subject.machineDeployment();
        return switch (standing.newNodes()) {
            case CURRENT -> nodes + (machine ? " starts with " : " start with ") + shortProfile(situation.profile());
            case BLOCKED -> nodes + blocked(situation, standing, machine);
            case OUTDATED -> nodes + (machine ? " starts with " : " start with ") + older(situation);
            case AT_RISK ->
                (machine ? nodes + " starts" : "nodes of " + subject.machineDeployment() + " start")
                        + atRisk(situation, standing);
            case PENDING -> "what " + nodes + (machine ? " gets" : " get") + " is not known yet" + because(standing);
        };
    }

    private static String shortProfile(DiagnosisSnapshot.Profile profile) {
        String named = ChainBuilder.named(profile);
        return named.substring(named.indexOf('/') + 1);
    }

    private static String blocked(DiagnosisSnapshot situation, DiagnosisOutcome standing, boolean machine) {
        boolean tokenEnded = DiagnosisOutcome.tokenEnded(situation)
                || DiagnosisOutcome.tokenDeleted(situation)
                || standing.broken() == LinkName.BOOTSTRAP_TOKEN;
        boolean gets = situation.bootstrap().present()
                && situation.config().wantedRevision().equals(situation.config().publishedRevision());
        if (tokenEnded && gets) {
            return " cannot join";
        }
        String verb = machine ? " does not start" : " do not start";
        return standing.cause() == null ? verb + " yet: it is being published" : verb;
    }

    private static String older(DiagnosisSnapshot situation) {
        String published = situation.config().publishedVersion();
        String wanted = situation.profile().version();
        return published.isEmpty() || wanted.isEmpty() || published.equals(wanted)
                ? "an older configuration"
                : published + ", not " + wanted;
    }

    /** Why nothing is known: the reason in words. */
    private static String because(DiagnosisOutcome standing) {
        return standing.cause() == null
                ? ""
                : ": " + ReportFormat.words(standing.cause().reason());
    }

    private static String atRisk(DiagnosisSnapshot situation, DiagnosisOutcome standing) {
        if (standing.cause() != null
                && standing.cause().reason() == Reason.NewCredentialsUnproven
                && situation.connection().connected()) {
            Instant expiry = situation.connection().credentialEnd();
            return expiry == null
                    ? " as before, because the previous credential still works"
                    : " as before until the previous credential expires at "
                            + ReportFormat.clock(expiry, situation.now());
        }
        Instant end = situation.token().end();
        boolean kept = situation.connection().connected()
                && situation.troubles().stream().noneMatch(trouble -> trouble.reason() == Reason.Paused);
        return end == null || kept && !DiagnosisOutcome.hasTokenProblem(situation)
                ? " now, but may stop later"
                : " until " + ReportFormat.clock(end, situation.now()) + ", then no longer";
    }
}
