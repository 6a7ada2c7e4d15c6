package io.osmhub.core.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.status.TenantReport.PauseCause;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.MachineDeploymentCounts;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TenantReportTest {
    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

    private Problem credentials = diagnosis(Reason.CredentialsAccepted);
    private Problem connection = diagnosis(Reason.ConnectionEstablished);
    private boolean closing;
    private boolean paused;
    private boolean readOnce = true;
    private final List<Problem> problems = new ArrayList<>();
    private final List<MachineDeploymentReport> machineDeployments = new ArrayList<>();
    private Instant now = NOW;
    private @Nullable Instant noAnswerSince;

    private static Problem diagnosis(Reason reason) {
        return Problem.ofMessage(reason, "message of " + reason);
    }

    private static MachineDeploymentReport report(String name, NewNodes newNodes, Reason... reasons) {
        return new MachineDeploymentReport(
                "ns",
                name,
                "osm-profiles/osp",
                newNodes,
                Arrays.stream(reasons).map(TenantReportTest::diagnosis).toList(),
                List.of(),
                null);
    }

    private TenantReport tell(@Nullable TenantReport before) {
        return TenantReport.of(
                new TenantReport.Input(
                        "cluster-x7f",
                        "x7f",
                        3,
                        closing,
                        paused ? PauseCause.SPEC : null,
                        credentials,
                        connection,
                        readOnce,
                        problems,
                        machineDeployments,
                        new TenantReport.Details(
                                null, null, null, null, null, List.of(), null, noAnswerSince, null, null),
                        NOW.plusSeconds(60),
                        now),
                before == null ? null : before.status(),
                before == null ? OpenProblems.NONE : before.problems());
    }

    private WorkerClusterStatus status() {
        return tell(null).status();
    }

    private static Condition condition(WorkerClusterStatus status, String type) {
        return Objects.requireNonNull(ConditionsBuilder.findCondition(status.conditions(), type));
    }

    @ParameterizedTest
    @CsvSource({"WorkerClusterUnreachable, CredentialsNotChecked", "CredentialsRejected, CredentialsNotChecked"})
    void aProblemOfTheConnectionKeepsItsStartUntilAnAttemptToConnectEnds(Reason reason, Reason whileConnecting) {
        boolean ofCredentials = reason == Reason.CredentialsRejected;
        credentials = diagnosis(ofCredentials ? reason : whileConnecting);
        connection = diagnosis(ofCredentials ? Reason.Connecting : reason);
        readOnce = false;
        TenantReport failed = tell(null);

        now = NOW.plusSeconds(60);
        credentials = diagnosis(whileConnecting);
        connection = diagnosis(Reason.Connecting);
        TenantReport connecting = tell(failed);
        now = NOW.plusSeconds(120);
        credentials = diagnosis(ofCredentials ? reason : whileConnecting);
        connection = diagnosis(ofCredentials ? Reason.Connecting : reason);
        TenantReport again = tell(connecting);
        credentials = diagnosis(Reason.CredentialsAccepted);
        connection = diagnosis(Reason.ConnectionEstablished);
        TenantReport connected = tell(again);

        assertThat(List.of(failed, connecting, again))
                .allSatisfy(report -> assertThat(report.problems().all())
                        .singleElement()
                        .satisfies(problem -> {
                            assertThat(problem.reason()).isEqualTo(reason.wireName());
                            assertThat(problem.since()).isEqualTo(NOW.toString());
                        }));
        assertThat(connected.problems().all()).isEmpty();
    }

    @Test
    void anOutageBeginsWhenTheApiServerStopsResponding() {
        connection = diagnosis(Reason.WorkerClusterNotResponding);
        TenantReport silent = tell(null);

        now = NOW.plusSeconds(60);
        connection = diagnosis(Reason.WorkerClusterUnreachable);
        TenantReport unreachable = tell(silent);

        assertThat(unreachable.problems().all()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.WorkerClusterUnreachable.wireName());
            assertThat(problem.since()).isEqualTo(NOW.toString());
        });
    }

    @Test
    void aProblemOfAMachineDeploymentNamesTheProfileThatItUses() {
        machineDeployments.add(report("a", NewNodes.BLOCKED, Reason.ProviderSpecInvalid));

        assertThat(tell(null).problems().all())
                .filteredOn(problem -> "MachineDeployment".equals(problem.kind()))
                .extracting(WorkerClusterStatus.OpenProblem::profile)
                .containsExactly("osm-profiles/osp");
    }

    @Test
    void aPausedTenantHasNoOpenProblemOfItsConnection() {
        connection = diagnosis(Reason.WorkerClusterUnreachable);
        readOnce = false;
        TenantReport failed = tell(null);

        paused = true;
        connection = diagnosis(Reason.Connecting);

        assertThat(tell(failed).problems().all()).isEmpty();
    }

    @Test
    void allIsWell() {
        machineDeployments.add(report("a", NewNodes.CURRENT));

        WorkerClusterStatus status = status();

        assertThat(status.conditions())
                .extracting(Condition::type, Condition::status)
                .containsExactly(
                        tuple("Ready", Status.TRUE),
                        tuple("CredentialsValid", Status.TRUE),
                        tuple("Connected", Status.TRUE),
                        tuple("Synced", Status.TRUE));
        assertThat(condition(status, "Ready").message())
                .isEqualTo("cluster-x7f: WorkerCluster x7f: all MachineDeployments with a profile are current (1)");
        assertThat(status.state()).isEqualTo(State.SYNCED);
        assertThat(status.problemCount()).isZero();
        assertThat(status.observedGeneration()).isEqualTo(3);
    }

    @Test
    void anOutageStartsWithTheLastAnswer() {
        TenantReport before = tell(null);
        now = NOW.plusSeconds(40);
        noAnswerSince = NOW.plusSeconds(10);
        connection = diagnosis(Reason.WorkerClusterUnreachable);
        readOnce = false;

        TenantReport outage = tell(before);

        String start = NOW.plusSeconds(10).toString();
        assertThat(outage.problems().all()).singleElement().satisfies(problem -> assertThat(problem.since())
                .isEqualTo(start));
        assertThat(condition(outage.status(), "Connected").lastTransitionTime()).isEqualTo(start);
        assertThat(condition(outage.status(), "Ready").lastTransitionTime()).isEqualTo(start);
        assertThat(condition(outage.status(), "Synced"))
                .satisfies(synced -> assertThat(synced.status()).isEqualTo(Status.UNKNOWN))
                .satisfies(synced -> assertThat(synced.reason()).isEqualTo("WorkerClusterUnreachable"))
                .satisfies(synced -> assertThat(synced.lastTransitionTime()).isEqualTo(start));
    }

    @Test
    void aClusterThatRejectsTheCredentialIsNotBeingRead() {
        credentials = diagnosis(Reason.CredentialsRejected);
        connection = diagnosis(Reason.Connecting);
        readOnce = false;

        assertThat(condition(status(), "Synced").status()).isEqualTo(Status.UNKNOWN);
        assertThat(condition(status(), "Synced").reason()).isEqualTo("CredentialsRejected");
    }

    @Test
    void aClusterThatDoesNotAnswerPingsKeepsItsStateAndConditions() {
        WorkerClusterStatus answering = status();
        assertThat(answering.noAnswerSince()).isNull();
        now = NOW.plusSeconds(10);
        noAnswerSince = NOW.plusSeconds(3);

        WorkerClusterStatus silent = tell(null).status();

        assertThat(silent.noAnswerSince()).isEqualTo("2026-03-01T08:00:03Z");
        assertThat(silent.state()).isEqualTo(answering.state());
        assertThat(silent.conditions()).extracting(Condition::status).containsOnly(Status.TRUE);
        assertThat(silent.problemCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "CredentialsRejected, ConnectionEstablished, UNAUTHORIZED",
        "KubeconfigInvalid, Connecting, UNAUTHORIZED",
        "PermissionsMissing, ConnectionEstablished, DEGRADED",
        "NewCredentialsUnproven, ConnectionEstablished, DEGRADED",
        "NewCredentialsUnproven, WorkerClusterUnreachable, UNREACHABLE",
        "CredentialsExpiring, ConnectionEstablished, SYNCED",
        "CredentialsAccepted, WorkerClusterNotResponding, UNREACHABLE",
        "CredentialsAccepted, TLSVerificationFailed, UNREACHABLE",
        "CredentialsNotChecked, Connecting, CONNECTING",
        "CredentialsAccepted, WorkerClusterDegraded, DEGRADED",
        "CredentialsAccepted, WorkerClusterThrottled, DEGRADED"
    })
    void stateIsTheFirstThatApplies(Reason credentialsReason, Reason connectionReason, State state) {
        credentials = diagnosis(credentialsReason);
        connection = diagnosis(connectionReason);

        assertThat(status().state()).isEqualTo(state);

        paused = true;
        assertThat(status().state()).isEqualTo(State.PAUSED);

        closing = true;
        assertThat(status().state()).isEqualTo(State.CLOSED);
    }

    static List<Reason> reasonsOfTheTenant() {
        return Arrays.stream(Reason.values())
                .filter(reason -> ConditionsBuilder.findStatus(reason, SubjectKind.WORKER_CLUSTER, "Synced")
                        .filter(status -> status == Status.FALSE)
                        .isPresent())
                .filter(reason -> reason != Reason.Paused && reason != Reason.MachineDeploymentsFailing)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("reasonsOfTheTenant")
    void aProblemOfTheTenantIsItsConditionSynced(Reason reason) {
        problems.add(diagnosis(reason));

        WorkerClusterStatus status = status();

        assertThat(condition(status, "Synced").reason()).isEqualTo(reason.wireName());
        assertThat(condition(status, "Synced").status()).isEqualTo(Status.FALSE);
        assertThat(condition(status, "Ready").reason()).isEqualTo(reason.wireName());
        assertThat(status.state()).isEqualTo(State.DEGRADED);
        assertThat(status.problems()).extracting(OpenProblem::reason).containsExactly(reason.wireName());
    }

    @Test
    void readyTellsTheFirstThatIsNotTrue() {
        connection = diagnosis(Reason.WorkerClusterUnreachable);
        problems.add(diagnosis(Reason.SettingsInvalid));

        assertThat(condition(status(), "Ready").reason()).isEqualTo("WorkerClusterUnreachable");

        credentials = diagnosis(Reason.CredentialsNotChecked);

        assertThat(condition(status(), "Ready").status()).isEqualTo(Status.UNKNOWN);
        assertThat(condition(status(), "Ready").reason()).isEqualTo("CredentialsNotChecked");
    }

    @Test
    void beforeAllIsReadNothingIsSaidOfMachineDeployments() {
        readOnce = false;

        assertThat(condition(status(), "Synced").reason()).isEqualTo("InitialSyncPending");
        assertThat(status().state()).isEqualTo(State.CONNECTING);
    }

    @Test
    void problemsOfMachineDeploymentsKeepTheirAgeOverARestartWhileTheWorkerClusterIsUnreachable() {
        machineDeployments.add(report("a", NewNodes.BLOCKED, Reason.NameCollision));
        TenantReport before = tell(null);
        machineDeployments.clear();
        readOnce = false;
        connection = diagnosis(Reason.WorkerClusterUnreachable);
        now = NOW.plusSeconds(600);

        assertThat(tell(before).problems().all())
                .extracting(OpenProblem::reason, OpenProblem::since)
                .containsExactly(
                        tuple("WorkerClusterUnreachable", "2026-03-01T08:10:00Z"),
                        tuple("NameCollision", "2026-03-01T08:00:00Z"));
    }

    @Test
    void aPausedTenantSaysWhenTokensRunOut() {
        paused = true;

        assertThat(condition(status(), "Ready").reason()).isEqualTo("Paused");
        assertThat(condition(status(), "Synced").message()).contains("expire from 2026-03-01T08:01:00Z");
    }

    @Test
    void anErrorOfOneMachineDeploymentIsSummedUp() {
        machineDeployments.add(report("a", NewNodes.CURRENT));
        machineDeployments.add(report("b", NewNodes.OUTDATED, Reason.TemplateSyntaxError));
        machineDeployments.add(report("c", NewNodes.BLOCKED, Reason.NameCollision));

        WorkerClusterStatus status = status();

        assertThat(condition(status, "Synced").reason()).isEqualTo("MachineDeploymentsFailing");
        assertThat(condition(status, "Synced").message())
                .contains("2 of 3 MachineDeployments have an open problem, first: ns/b (TemplateSyntaxError)");
        assertThat(status.machineDeployments()).isEqualTo(new MachineDeploymentCounts(3, 1, 0, 1, 1, 0));
    }

    @Test
    void aWarningOfAMachineDeploymentLeavesTheTenantSynced() {
        machineDeployments.add(report("a", NewNodes.CURRENT, Reason.RevisionNotSet));

        assertThat(status().state()).isEqualTo(State.SYNCED);
        assertThat(status().problemCount()).isEqualTo(1);
    }

    @Test
    void wrongSettingsAreToldOnceThoughEveryMachineDeploymentTellsThem() {
        machineDeployments.add(report("a", NewNodes.OUTDATED, Reason.SettingsInvalid));
        machineDeployments.add(report("b", NewNodes.OUTDATED, Reason.SettingsInvalid));

        WorkerClusterStatus status = status();

        assertThat(condition(status, "Synced").reason()).isEqualTo("SettingsInvalid");
        assertThat(status.problems()).singleElement().satisfies(problem -> assertThat(problem.kind())
                .isEqualTo("WorkerCluster"));
    }

    @Test
    void listsTheTwentyWorstAndOldest() {
        for (int i = 10; i < 25; i++) {
            machineDeployments.add(report("warned" + i, NewNodes.CURRENT, Reason.RevisionNotSet));
        }
        TenantReport first = tell(null);
        now = NOW.plusSeconds(60);
        for (int i = 10; i < 20; i++) {
            machineDeployments.add(report("failing" + i, NewNodes.OUTDATED, Reason.TemplateSyntaxError));
        }
        machineDeployments.add(report("warned9", NewNodes.CURRENT, Reason.RevisionNotSet));

        WorkerClusterStatus status = tell(first).status();

        assertThat(status.problemCount()).isEqualTo(26);
        List<OpenProblem> listed = Objects.requireNonNull(status.problems());
        assertThat(listed).hasSize(20);
        assertThat(listed.subList(0, 10))
                .allSatisfy(problem -> assertThat(problem.severity()).isEqualTo(ProblemSeverity.ERROR));
        assertThat(listed.get(10).name()).isEqualTo("warned10");
        assertThat(listed.get(10).since()).isEqualTo("2026-03-01T08:00:00Z");
        assertThat(listed).noneMatch(problem -> "warned9".equals(problem.name()));
    }

    @Test
    void whatIsWrongWithTheTenantComesBeforeOlderProblemsOfItsMachineDeployments() {
        for (int i = 10; i < 40; i++) {
            machineDeployments.add(report("failing" + i, NewNodes.OUTDATED, Reason.TemplateSyntaxError));
        }
        TenantReport first = tell(null);
        now = NOW.plusSeconds(60);
        credentials = diagnosis(Reason.KubeconfigInvalid);

        List<OpenProblem> listed = Objects.requireNonNull(tell(first).status().problems());

        assertThat(listed.getFirst().reason()).isEqualTo(Reason.KubeconfigInvalid.wireName());
    }

    @Test
    void aProblemKeepsItsAgeWhenItsMessageChangesAndWhenTheHubStartsAnew() {
        machineDeployments.add(report("a", NewNodes.OUTDATED, Reason.TemplateSyntaxError));
        TenantReport first = tell(null);
        now = NOW.plusSeconds(60);
        machineDeployments.clear();
        machineDeployments.add(new MachineDeploymentReport(
                "ns",
                "a",
                "",
                NewNodes.OUTDATED,
                List.of(Problem.ofMessage(Reason.TemplateSyntaxError, "another")),
                List.of(),
                null));

        OpenProblems after = OpenProblems.of(first.status());
        TenantReport second = TenantReport.of(
                new TenantReport.Input(
                        "cluster-x7f",
                        "x7f",
                        3,
                        false,
                        null,
                        credentials,
                        connection,
                        true,
                        problems,
                        machineDeployments,
                        TenantReport.Details.NONE,
                        null,
                        now),
                first.status(),
                after);

        assertThat(second.problems().all()).singleElement().satisfies(problem -> {
            assertThat(problem.since()).isEqualTo("2026-03-01T08:00:00Z");
            assertThat(problem.message()).isEqualTo("another");
        });
        assertThat(condition(second.status(), "Synced").lastTransitionTime()).isEqualTo("2026-03-01T08:00:00Z");
    }

    @Test
    void nothingChangedGivesAnEqualStatus() {
        machineDeployments.add(report("a", NewNodes.OUTDATED, Reason.TemplateSyntaxError));
        TenantReport first = tell(null);
        now = NOW.plus(Duration.ofHours(1));

        assertThat(tell(first).status()).isEqualTo(first.status());
    }
}
