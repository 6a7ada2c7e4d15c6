package io.osmhub.core.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.plan.World;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MachineDeploymentReportTest {
    private static final String MD = "kube-system/workers";
    private static final Problem FORBIDDEN = Problem.ofMessage(Reason.WriteForbidden, "may not");

    private final World world = new World(1).machineDeployment("kube-system", "workers");
    private ConnectionHealth circumstances = ConnectionHealth.NORMAL;

    /** Decides, does what is allowed, and stores the status. */
    private MachineDeploymentReport run(
            Predicate<PlannedChange> allowed, @Nullable Problem failure, @Nullable String waiting) {
        Facts facts = world.facts(MD);
        Decision decision = world.decider.decide(facts);
        List<PlannedChange> done = decision.changes().stream().filter(allowed).toList();
        done.forEach(world::apply);
        RunResult run = new RunResult(
                "r1", facts, decision, done, failure, waiting, Duration.ofMillis(12), world.config(MD), circumstances);
        MachineDeploymentReport report = MachineDeploymentReport.of(run);
        if (report.status() != null) {
            world.status(MD, report.status());
        }
        return report;
    }

    private MachineDeploymentReport run() {
        return run(_ -> true, null, null);
    }

    /** A run that applied all of its changes. */
    private static RunResult completed(String id, Facts facts, Decision decision, @Nullable StoredConfig stored) {
        return new RunResult(
                id, facts, decision, decision.changes(), null, null, Duration.ZERO, stored, ConnectionHealth.NORMAL);
    }

    private static OperatingSystemConfigStatus status(MachineDeploymentReport report) {
        return Objects.requireNonNull(report.status());
    }

    private static Condition condition(MachineDeploymentReport report, String type) {
        return Objects.requireNonNull(
                ConditionsBuilder.findCondition(status(report).conditions(), type));
    }

    private static PublishedSecret secret(MachineDeploymentReport report, Role role) {
        return Objects.requireNonNull(status(report).secrets()).stream()
                .filter(entry -> entry.role() == role)
                .findFirst()
                .orElseThrow();
    }

    private static List<OperatingSystemConfigStatus.ChangeEntry> history(MachineDeploymentReport report) {
        return Objects.requireNonNull(status(report).history());
    }

    @Test
    void whatIsPublishedIsReadyAndCurrent() {
        MachineDeploymentReport report = run();

        assertThat(report.newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(report.problems()).isEmpty();
        assertThat(status(report).conditions())
                .extracting(Condition::type, Condition::status, Condition::reason)
                .containsExactly(
                        tuple("Ready", Status.TRUE, "Available"),
                        tuple("Rendered", Status.TRUE, "RenderedFromProfile"),
                        tuple("Published", Status.TRUE, "SecretsPublished"),
                        tuple("TokenValid", Status.TRUE, "TokenRenewed"),
                        tuple("ProfileValid", Status.TRUE, "ProfileFound"),
                        tuple("ConfigAccepted", Status.TRUE, "RenderedFromProfile"),
                        tuple("ProvisioningSecretPublished", Status.TRUE, "SecretsPublished"),
                        tuple("BootstrapSecretPublished", Status.TRUE, "SecretsPublished"),
                        tuple("PickedUp", Status.TRUE, "RevisionPublished"));
        assertThat(condition(report, "Ready").message())
                .isEqualTo(
                        "cluster-x7f: OperatingSystemConfig workers-kube-system-config: new nodes of kube-system/workers "
                                + "start with profile osm-profiles/osp-ubuntu v1.0.0");
        assertThat(condition(report, "Published").message()).contains(" of 16,384 B, provisioning ");
        assertThat(status(report).wanted()).isNull();
        assertThat(Objects.requireNonNull(status(report).source()).profile())
                .isEqualTo(new OperatingSystemConfigStatus.ProfileSource(
                        "osm-profiles",
                        "osp-ubuntu",
                        "v1.0.0",
                        Objects.requireNonNull(
                                        Objects.requireNonNull(status(report).source())
                                                .profile())
                                .contentHash()));
        assertThat(secret(report, Role.BOOTSTRAP).limitBytes()).isEqualTo(16_384);
        assertThat(secret(report, Role.BOOTSTRAP_TOKEN).state()).isEqualTo(SecretState.CURRENT);
        assertThat(history(report)).singleElement().satisfies(change -> assertThat(change.result())
                .isEqualTo(ChangeResult.PUBLISHED));
    }

    @Test
    void aRunThatFindsAllRightGivesAnEqualStatus() {
        MachineDeploymentReport first = run();
        world.now = world.now.plusSeconds(300);

        MachineDeploymentReport second = run();

        assertThat(second.status()).isEqualTo(first.status());
    }

    @Test
    void aTokenThatIsExtendedChangesNoStatus() {
        MachineDeploymentReport first = run();
        world.now = world.now.plus(Duration.ofHours(1));

        MachineDeploymentReport second = run();

        assertThat(second.status()).isEqualTo(first.status());
    }

    @Test
    void aConditionsTimeMovesOnlyWithItsStatus() {
        run();
        world.now = world.now.plusSeconds(60);
        world.profileText = "{{ fail `no` }}";

        MachineDeploymentReport failed = run();

        assertThat(condition(failed, "Rendered").lastTransitionTime()).isEqualTo("2026-03-01T08:01:00Z");
        assertThat(condition(failed, "TokenValid").lastTransitionTime()).isEqualTo("2026-03-01T08:00:00Z");

        world.now = world.now.plusSeconds(60);
        world.profileText = "{{ fail `no, again` }}";

        MachineDeploymentReport again = run();

        assertThat(condition(again, "Rendered").lastTransitionTime()).isEqualTo("2026-03-01T08:01:00Z");
        assertThat(condition(again, "Rendered").message()).contains("no, again");
    }

    @Test
    void whatCannotBeRenderedIsOutdatedWhileTheOlderIsThere() {
        run();
        world.profileText = "{{ fail `no` }}";

        MachineDeploymentReport report = run();

        assertThat(report.newNodes()).isEqualTo(NewNodes.OUTDATED);
        assertThat(condition(report, "Ready").reason()).isEqualTo("TemplateExecutionFailed");
        assertThat(condition(report, "Ready").status()).isEqualTo(Status.FALSE);
        assertThat(condition(report, "Published").status()).isEqualTo(Status.UNKNOWN);
        assertThat(secret(report, Role.BOOTSTRAP).state()).isEqualTo(SecretState.OLDER_KEPT);
        assertThat(history(report).getFirst().result()).isEqualTo(ChangeResult.REFUSED);
        assertThat(history(run())).hasSize(2);
    }

    @Test
    void aFirstRenderingThatFailsIsBlockedAndHasNoStatus() {
        world.noProfile = new Problem(
                Reason.ProfileNotFound, ProblemObject.of("MachineDeployment", MD), "annotation x", "none", "");

        MachineDeploymentReport report = run();

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(report.status()).isNull();
        assertThat(report.problems()).extracting(Problem::reason).contains(Reason.ProfileNotFound);
    }

    @Test
    void anOlderSetOfAnotherRevisionIsBlocked() {
        run();
        world.annotate(MD, MachineDeployment.REVISION, "2").profileText = "{{ fail `no` }}";

        assertThat(run().newNodes()).isEqualTo(NewNodes.BLOCKED);
    }

    private static final String UNREADABLE =
            "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: many\n";

    @Test
    void contentThatNoKubeletCanReadIsOutdatedWhileOlderContentWorks() {
        run();
        world.profileText = UNREADABLE;

        MachineDeploymentReport report = run();

        assertThat(condition(report, "Published").reason()).isEqualTo("UserDataUnreadable");
        assertThat(report.newNodes()).isEqualTo(NewNodes.OUTDATED);
    }

    @Test
    void contentThatNoKubeletCanReadBlocksWithoutOlderContent() {
        world.profileText = UNREADABLE;

        assertThat(run().newNodes()).isEqualTo(NewNodes.BLOCKED);
    }

    @Test
    void userDataThatIsTooLargeIsRenderedButNotPublished() {
        MachineDeploymentReport before = run();
        world.profileText = UserDataSize.standIn(24_000).reveal();

        MachineDeploymentReport report = run();

        assertThat(condition(report, "Rendered").status()).isEqualTo(Status.TRUE);
        assertThat(condition(report, "Published").reason()).isEqualTo("UserDataTooLarge");
        assertThat(report.newNodes()).isEqualTo(NewNodes.OUTDATED);
        assertThat(status(report).source()).isEqualTo(status(before).source());
        assertThat(status(report).wanted())
                .isNotNull()
                .isNotEqualTo(status(report).source());
        assertThat(secret(report, Role.BOOTSTRAP).bytes())
                .isEqualTo(secret(before, Role.BOOTSTRAP).bytes());
    }

    @Test
    void aWriteThatFailsKeepsTheOlder() {
        run();
        world.clusterDns("10.1.1.1");

        MachineDeploymentReport report = run(_ -> false, FORBIDDEN, null);

        assertThat(condition(report, "Published"))
                .satisfies(condition -> assertThat(condition.status()).isEqualTo(Status.FALSE))
                .satisfies(condition -> assertThat(condition.reason()).isEqualTo("WriteForbidden"));
        assertThat(report.newNodes()).isEqualTo(NewNodes.OUTDATED);
        assertThat(secret(report, Role.PROVISIONING).state()).isEqualTo(SecretState.OLDER_KEPT);
        assertThat(secret(report, Role.BOOTSTRAP).state()).isEqualTo(SecretState.CURRENT);
        assertThat(status(report).wanted()).isNotNull();
        assertThat(report.problems()).containsExactly(FORBIDDEN);
    }

    @Test
    void aFirstPublicationThatFailsIsBlocked() {
        MachineDeploymentReport report = run(
                change -> change.role() != SecretRole.BOOTSTRAP
                        && !change.target().kind().equals("OperatingSystemConfig"),
                FORBIDDEN,
                null);

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(report.status()).isNull();
    }

    @Test
    void whatWaitsForItsTurnIsPending() {
        run();
        world.clusterDns("10.1.1.1");

        MachineDeploymentReport report = run(_ -> false, null, "the write budget");

        assertThat(report.newNodes()).isEqualTo(NewNodes.PENDING);
        assertThat(condition(report, "Published").status()).isEqualTo(Status.UNKNOWN);
        assertThat(condition(report, "Published").message()).contains("waiting to be published (the write budget)");
    }

    @Test
    void aFailureThatMayPassIsNotToldAtOnce() {
        MachineDeploymentReport report = run(_ -> false, null, null);

        assertThat(report.newNodes()).isEqualTo(NewNodes.PENDING);
        assertThat(report.problems()).isEmpty();
    }

    @Test
    void aTokenThatCannotBeExtendedIsAtRiskAndThenBlocked() {
        run();
        world.now = world.now.plus(Duration.ofMinutes(105));

        MachineDeploymentReport expiring = run(_ -> false, FORBIDDEN, null);

        assertThat(condition(expiring, "TokenValid").reason()).isEqualTo("BootstrapTokenExpiring");
        assertThat(condition(expiring, "TokenValid").message()).contains("15 min left, not extended (WriteForbidden)");

        world.now = world.now.plus(Duration.ofMinutes(20));

        MachineDeploymentReport expired = run(_ -> false, FORBIDDEN, null);

        assertThat(condition(expired, "TokenValid").reason()).isEqualTo("BootstrapTokenExpired");
        assertThat(condition(expired, "TokenValid").message()).contains("expired 2026-03-01T10:00:00Z");
        assertThat(expired.newNodes()).isEqualTo(NewNodes.BLOCKED);
    }

    @Test
    void aTokenThatIsGoneWhileNothingRendersBlocks() {
        run();
        String deleted = world.tokens.firstKey();
        world.tokens.clear();
        world.profileText = "{{ fail `no` }}";

        MachineDeploymentReport report = run();

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(condition(report, "TokenValid").message()).contains("Secret kube-system/" + deleted + ": deleted");
        assertThat(report.problems())
                .extracting(Problem::reason)
                .containsExactly(Reason.TemplateExecutionFailed, Reason.BootstrapTokenMissing);
    }

    @Test
    void withoutAConnectionItIsAtRisk() {
        run();
        circumstances = new ConnectionHealth(false, true, false);

        assertThat(run().newNodes()).isEqualTo(NewNodes.AT_RISK);
    }

    @Test
    void pausedWithNothingToDoIsAtRisk() {
        run();
        world.paused = true;
        circumstances = new ConnectionHealth(true, true, true);

        assertThat(run().newNodes()).isEqualTo(NewNodes.AT_RISK);

        world.clusterDns("10.1.1.1");
        MachineDeploymentReport report = run();

        assertThat(condition(report, "Published").message()).contains("the tenant is paused");
        assertThat(report.newNodes()).isEqualTo(NewNodes.OUTDATED);
    }

    @Test
    void aNameCollisionIsBlockedAndLeavesTheOwnersStatusAlone() {
        World both = new World(1).machineDeployment("c", "a-b");
        both.now = World.START.plusSeconds(10);
        both.machineDeployment("b-c", "a");
        both.run("c/a-b");
        Facts facts = both.facts("b-c/a");

        MachineDeploymentReport report =
                MachineDeploymentReport.of(completed("r", facts, both.decider.decide(facts), both.config("b-c/a")));

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(report.status()).isNull();
        assertThat(report.problems()).extracting(Problem::reason).containsExactly(Reason.NameCollision);
    }

    @Test
    void aConfigurationOfSomebodyElseGetsNoStatus() {
        world.configs.put(
                "workers-kube-system-config",
                new StoredConfig(
                        World.TENANT,
                        "workers-kube-system-config",
                        "u",
                        "1",
                        1,
                        new TreeMap<>(),
                        "hash",
                        null,
                        "kubectl-create"));

        MachineDeploymentReport report = run();

        assertThat(report.status()).isNull();
        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(report.problems()).extracting(Problem::reason).contains(Reason.ObjectNotOwned);
    }

    @Test
    void aRepairIsInTheHistoryWithTheWriter() {
        run();
        world.edit("workers-kube-system-provisioning-config", "kubectl-edit");

        OperatingSystemConfigStatus.ChangeEntry change = history(run()).getFirst();

        assertThat(change.result()).isEqualTo(ChangeResult.RESTORED);
        assertThat(change.reason()).isEqualTo("DriftRepaired");
        assertThat(change.because()).isEqualTo("kubectl-edit changed it");
        assertThat(change.writes()).isEqualTo(1);
        assertThat(change.durationMilliseconds()).isEqualTo(12);
    }

    @Test
    void anAdoptionIsInTheHistory() {
        world.run(MD);
        world.asPeer();

        assertThat(history(run())).singleElement().satisfies(change -> assertThat(change.result())
                .isEqualTo(ChangeResult.ADOPTED));
    }

    @Test
    void theReasonOfAChangeNamesWhatChanged() {
        run();
        world.profileText = "more\n";
        assertThat(history(run()).getFirst().because())
                .isEqualTo("OperatingSystemProfile osm-profiles/osp-ubuntu was changed, its version v1.0.0 was not");

        world.profileText = "yet more\n";
        world.profileVersion = "v1.1.0";
        assertThat(history(run()).getFirst().because())
                .isEqualTo("OperatingSystemProfile osm-profiles/osp-ubuntu has version v1.1.0 (was v1.0.0)");

        world.clusterDns("10.1.1.1");
        assertThat(history(run()).getFirst().because()).isEqualTo("settings of WorkerCluster x7f changed");

        world.fetchToken = "other";
        assertThat(history(run()).getFirst().because()).isEqualTo("a credential in it changed");

        world.machinesOf(MD, World.providerSpec("aws", "BBBB")).annotate(MD, MachineDeployment.REVISION, "2");
        OperatingSystemConfigStatus.ChangeEntry change = history(run()).getFirst();
        assertThat(change.because()).isEqualTo("the MachineDeployment has revision 2 (was 1)");
        assertThat(change.fromRevision()).isEqualTo("1");
        assertThat(change.toRevision()).isEqualTo("2");
    }

    @Test
    void theHistoryHasTenEntriesNewestFirst() {
        for (int i = 1; i <= 12; i++) {
            world.clusterDns("10.0.0." + i);
            world.now = world.now.plusSeconds(1);
            run();
        }

        List<OperatingSystemConfigStatus.ChangeEntry> history = history(run());

        assertThat(history).hasSize(10);
        assertThat(history.getFirst().time()).isEqualTo("2026-03-01T08:00:12Z");
    }

    @Test
    void aFaultOfTheHubIsUnknownAndNamesTheRun() {
        run();
        Facts facts = world.facts(MD);
        Decision decision = new Decision(
                new Decision.Outcome.Failed(new IllegalStateException("x")),
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                null);

        MachineDeploymentReport report =
                MachineDeploymentReport.of(completed("r77", facts, decision, world.config(MD)));

        assertThat(condition(report, "Rendered").status()).isEqualTo(Status.UNKNOWN);
        assertThat(condition(report, "Ready").reason()).isEqualTo("InternalError");
        assertThat(condition(report, "Ready").message()).contains("reconcileId r77");
        assertThat(report.problems()).extracting(Problem::reason).contains(Reason.InternalError);
    }

    @Test
    void everyReasonThatSaysSomethingOfAConfigIsShownThere() {
        for (Reason reason : Reason.values()) {
            for (String type : List.of("Rendered", "Published", "TokenValid")) {
                ConditionsBuilder.findStatus(reason, SubjectKind.CONFIG, type)
                        .filter(status -> status == Status.FALSE)
                        .ifPresent(_ -> assertThat(shown(reason, type).reason()).isEqualTo(reason.wireName()));
            }
        }
    }

    @Test
    void aFailedWriteIsAtTheConditionOfTheLinkOfItsObject() {
        run();
        world.clusterDns("10.1.1.1");

        for (LinkName link : LinkName.values()) {
            String type = Chain.condition(link);
            if (type != null) {
                MachineDeploymentReport report = run(_ -> false, FORBIDDEN.atLink(link), null);

                assertThat(condition(report, type)).as("%s", link).returns("WriteForbidden", Condition::reason);
                assertThat(report.conditions())
                        .filteredOn(condition -> condition.reason().equals("WriteForbidden"))
                        .extracting(Condition::type)
                        .containsExactly("Ready", "Published", type);
            }
        }
    }

    /** What kubectl describe shows is what the chain is broken by. */
    @Test
    void everyProblemOfARunIsAtTheConditionOfTheLinkThatItBreaks() {
        run();
        for (Reason reason : Reason.values()) {
            String type = reason.brokenLink() == null ? null : Chain.condition(reason.brokenLink());
            if (type == null || reason.severity() == Severity.INFO) {
                continue;
            }
            Problem problem = Problem.ofMessage(reason, "m");
            Facts facts = world.facts(MD);
            Decision decision = new Decision(
                    new Decision.Outcome.NotRendered(),
                    List.of(),
                    List.of(),
                    List.of(problem),
                    world.decider.decide(facts).token(),
                    null,
                    null);
            MachineDeploymentReport report =
                    MachineDeploymentReport.of(completed("r", facts, decision, world.config(MD)));

            assertThat(Chain.cause(report.problems())).contains(problem);
            assertThat(condition(report, type))
                    .as("%s", reason)
                    .returns(Status.FALSE, Condition::status)
                    .returns(reason.wireName(), Condition::reason);
            assertThat(new Chain(report.conditions(), List.of(), true).states(reason.brokenLink()))
                    .containsOnlyOnce(Chain.LinkState.BROKEN);
        }
    }

    @Test
    void withoutAConfigurationItsConditionsAreReported() {
        world.noProfile = new Problem(
                Reason.ProfileNotFound, ProblemObject.of("MachineDeployment", MD), "annotation x", "none", "");

        MachineDeploymentReport report = run();

        assertThat(report.status()).isNull();
        assertThat(report.conditions())
                .filteredOn(condition -> condition.type().equals("ProfileValid"))
                .singleElement()
                .returns("ProfileNotFound", Condition::reason);
        assertThat(new Chain(report.conditions(), List.of(), true).states(LinkName.PROFILE))
                .containsExactly(
                        Chain.LinkState.BROKEN,
                        Chain.LinkState.WAITING,
                        Chain.LinkState.WAITING,
                        Chain.LinkState.WAITING,
                        Chain.LinkState.WAITING,
                        Chain.LinkState.OK,
                        Chain.LinkState.WAITING);
    }

    @Test
    void noRevisionBlocksNewNodes() {
        world.annotate(MD, MachineDeployment.REVISION, "");
        run();
        world.now = world.now.plus(Duration.ofMinutes(3));

        MachineDeploymentReport report = run();

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(condition(report, "PickedUp").reason()).isEqualTo("RevisionNotSet");
    }

    /** The condition of a run in which tokens of bootstrap were kept, and the one that machines fetch with was not. */
    private Condition fetchTokenShown(long minutes, String type) {
        World own = new World(3).machineDeployment("kube-system", "workers").scoped();
        own.run(MD);
        own.now = World.START.plus(Duration.ofMinutes(minutes));
        own.tokens.values().forEach(token -> own.token(token, own.now.plus(Duration.ofHours(2)), token.annotations()));
        Facts facts = own.facts(MD);
        Decision decision = own.decider.decide(facts);
        return condition(
                MachineDeploymentReport.of(new RunResult(
                        "r",
                        facts,
                        decision,
                        List.of(),
                        FORBIDDEN,
                        null,
                        Duration.ZERO,
                        own.config(MD),
                        ConnectionHealth.NORMAL)),
                type);
    }

    /** The condition of a run that came to this problem. */
    private Condition shown(Reason reason, String type) {
        world.done.clear();
        if (world.secrets.isEmpty()) {
            run();
        }
        Facts facts = world.facts(MD);
        Decision wanted = world.decider.decide(facts);
        Problem problem = Problem.ofMessage(reason, "m");
        Decision.Outcome.Published outcome = (Decision.Outcome.Published) wanted.outcome();
        boolean byWriting = type.equals("Published")
                && List.of("PublishRetrying", "WriteForbidden", "WriteRejected", "DriftLoop")
                        .contains(reason.wireName());
        if (reason == Reason.BootstrapTokenMissing) {
            Map<String, StoredToken> tokens = Map.copyOf(world.tokens);
            world.tokens.clear();
            Condition condition = condition(run(_ -> false, FORBIDDEN, null), type);
            world.tokens.putAll(tokens);
            return condition;
        }
        boolean byToken = reason.wireName().startsWith("BootstrapToken");
        if (byToken) {
            long minutes = reason == Reason.BootstrapTokenExpired ? 200 : 110;
            world.now = World.START.plus(Duration.ofMinutes(minutes));
            Condition condition = condition(run(_ -> false, FORBIDDEN, null), type);
            world.now = World.START;
            return condition;
        }
        if (reason.wireName().startsWith("FetchToken")) {
            return fetchTokenShown(reason == Reason.FetchTokenExpired ? 250 : 230, type);
        }
        Decision decision = byWriting
                ? wanted
                : new Decision(
                        type.equals("Published")
                                ? new Decision.Outcome.NotPublished(outcome.rendered())
                                : new Decision.Outcome.NotRendered(),
                        List.of(),
                        List.of(),
                        List.of(problem),
                        wanted.token(),
                        null,
                        null);
        RunResult run = new RunResult(
                "r",
                facts,
                decision,
                List.of(),
                byWriting ? problem : null,
                null,
                Duration.ZERO,
                world.config(MD),
                ConnectionHealth.NORMAL);
        return condition(MachineDeploymentReport.of(run), type);
    }
}
