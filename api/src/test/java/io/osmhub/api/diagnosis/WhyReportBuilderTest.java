package io.osmhub.api.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WhyReport.Link;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.status.Chain.LinkState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class WhyReportBuilderTest {
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final Duration AGO = Duration.ofMinutes(7);

    /** Errors, and warnings that keep a node away or will, which break no link: what they are about is not the way to a node. */
    private static final Set<Reason> BESIDE_THE_CHAIN = Set.of(
            Reason.MachineDeploymentsFailing,
            Reason.WorkerVersionUnsupported,
            Reason.WorkerClusterContested,
            Reason.WorkerClockSkewed,
            Reason.CertificateAuthorityMismatch,
            Reason.AdmissionNotInstalled,
            Reason.WorkerCleanupIncomplete,
            Reason.DefaultProfilesNotInstalled,
            Reason.ProfileWarnings,
            Reason.ExtensionTargetsNothing,
            Reason.ExtensionBaseChanged,
            Reason.ExtensionEnforced,
            Reason.UserDataSuspect,
            Reason.KubeletAnnotationUnusable,
            Reason.ProfileChangedInPlace,
            Reason.CRDForeignManaged,
            Reason.KKPKindMissing,
            Reason.WebhookCertificateExpiring,
            Reason.WebhookBundleNotPatched);

    /** Where problems of a category may break the chain. */
    private static final Map<Category, Set<LinkName>> PLACES = new EnumMap<>(Map.of(
            Category.CREDENTIALS, Set.of(LinkName.WORKER_CONNECTION),
            Category.CONNECTION, Set.of(LinkName.WORKER_CONNECTION),
            Category.SETTINGS,
                    Set.of(
                            LinkName.RENDERED_CONFIG,
                            LinkName.PROVISIONING_SECRET,
                            LinkName.WORKER_CONNECTION,
                            LinkName.MACHINE_CONTROLLER_PICK_UP),
            Category.OWNERSHIP,
                    Set.of(
                            LinkName.RENDERED_CONFIG,
                            LinkName.PROVISIONING_SECRET,
                            LinkName.BOOTSTRAP_SECRET,
                            LinkName.WORKER_CONNECTION),
            Category.PROFILE, Set.of(LinkName.PROFILE),
            Category.MACHINE, Set.of(LinkName.PROFILE, LinkName.RENDERED_CONFIG, LinkName.MACHINE_CONTROLLER_PICK_UP),
            Category.PUBLISH, Set.of(LinkName.RENDERED_CONFIG, LinkName.PROVISIONING_SECRET, LinkName.BOOTSTRAP_SECRET),
            Category.TOKEN, Set.of(LinkName.BOOTSTRAP_TOKEN),
            Category.HUB, Set.of(LinkName.RENDERED_CONFIG),
            Category.SUMMARY, Set.of(LinkName.WORKER_CONNECTION)));

    static Stream<Reason> reasonsThatMatter() {
        return Arrays.stream(Reason.values())
                .filter(reason -> reason.severity() != Severity.INFO || reason == Reason.Paused)
                .filter(reason -> !BESIDE_THE_CHAIN.contains(reason));
    }

    /** A message of the reason with some value for each variable. */
    private static Problem completed(Reason reason) {
        Map<String, String> values = new HashMap<>();
        Matcher variable = VARIABLE.matcher(reason.description().template());
        while (variable.find()) {
            values.put(variable.group(1), value(variable.group(1)));
        }
        return reason.with(values);
    }

    private static String value(String variable) {
        return switch (variable) {
            case "tenant" -> "cluster-7xk2m9";
            case "wc" -> "shop";
            case "md" -> "kube-system/workers-b";
            case "suggestion", "more" -> "";
            case "fix" -> "repair it";
            case "line", "column" -> "3";
            default -> variable + "-1";
        };
    }

    @ParameterizedTest
    @MethodSource("reasonsThatMatter")
    void everyReasonThatKeepsNodesAwayIsTheCauseAtALinkOfItsCategoryWithACureAndWhoActs(Reason reason) {
        WhyReport report = WhyReportBuilder.build(new ASituation()
                .newNodes(NewNodes.BLOCKED)
                .trouble(completed(reason), AGO)
                .build());

        assertThat(report.cause()).isNotNull();
        assertThat(report.cause().classification().reason()).isEqualTo(reason);
        assertThat(report.cause().classification().actor()).isEqualTo(reason.actor());
        assertThat(report.cause().fix().cure()).isNotBlank();
        assertThat(report.since()).isEqualTo(ASituation.NOW.minus(AGO));
        Link broken = broken(report);
        assertThat(PLACES.get(reason.category())).contains(broken.name());
        assertThat(broken.reason()).isEqualTo(reason);
        assertThat(broken.summary()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("reasonsThatMatter")
    void aReportHasSevenLinksInOneOrderAndAtMostOneIsBroken(Reason reason) {
        for (NewNodes newNodes : NewNodes.values()) {
            WhyReport report = WhyReportBuilder.build(new ASituation()
                    .newNodes(newNodes)
                    .trouble(completed(reason), AGO)
                    .build());

            assertThat(report.links()).extracting(Link::name).containsExactly(LinkName.values());
            assertThat(report.links())
                    .filteredOn(link -> link.state() == LinkState.BROKEN)
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(report.cause() == null)
                    .isEqualTo(report.links().stream().noneMatch(link -> link.state() == LinkState.BROKEN));
        }
    }

    @Test
    void whatIsBesideTheChainIsToldAndBlamedForNothing() {
        for (Reason reason : BESIDE_THE_CHAIN) {
            WhyReport report = WhyReportBuilder.build(
                    new ASituation().trouble(completed(reason), AGO).build());

            assertThat(report.cause()).isNull();
            assertThat(report.newNodes()).isEqualTo(NewNodes.CURRENT);
        }
    }

    private static ProblemEntry cause(WhyReport report) {
        return Objects.requireNonNull(report.cause());
    }

    private static Link broken(WhyReport report) {
        return report.links().stream()
                .filter(link -> link.state() == LinkState.BROKEN)
                .findFirst()
                .orElseThrow();
    }

    static Stream<Arguments> situations() {
        return Stream.of(
                at(
                        "two problems: the first link",
                        LinkName.PROFILE,
                        two(Reason.WriteForbidden, Reason.ProfileNotFound)),
                at(
                        "an ended token follows from the lost connection",
                        LinkName.WORKER_CONNECTION,
                        two(Reason.BootstrapTokenExpired, Reason.WorkerClusterUnreachable)
                                .lost()),
                at(
                        "a failed write follows from the lost connection",
                        LinkName.WORKER_CONNECTION,
                        two(Reason.PublishRetrying, Reason.WorkerClusterNotResponding)
                                .lost()),
                at(
                        "an ended token follows from a pause",
                        LinkName.WORKER_CONNECTION,
                        two(Reason.BootstrapTokenExpired, Reason.Paused)),
                at(
                        "a profile's fault is one whether the connection is lost or not",
                        LinkName.PROFILE,
                        two(Reason.WorkerClusterUnreachable, Reason.TemplateSyntaxError)
                                .lost()),
                at(
                        "a warning is not blamed for an error's effect",
                        LinkName.BOOTSTRAP_TOKEN,
                        two(Reason.CredentialsExpiring, Reason.BootstrapTokenExpired)),
                at(
                        "nor if it stands earlier in the chain",
                        LinkName.WORKER_CONNECTION,
                        two(Reason.DriftLoop, Reason.CredentialsRejected)),
                at(
                        "a new kubeconfig that does not work leaves the old one",
                        LinkName.WORKER_CONNECTION,
                        one(Reason.NewCredentialsUnproven)),
                at("settings", LinkName.RENDERED_CONFIG, one(Reason.SettingsInvalid)),
                at("the namespace of the secrets", LinkName.PROVISIONING_SECRET, one(Reason.WorkerNamespaceMissing)),
                at(
                        "no MachineDeployments",
                        LinkName.MACHINE_CONTROLLER_PICK_UP,
                        one(Reason.MachineDeploymentAPIMissing)),
                at(
                        "a provisioning secret that may not be written",
                        LinkName.PROVISIONING_SECRET,
                        written(Reason.WriteForbidden, LinkName.PROVISIONING_SECRET)),
                at(
                        "a bootstrap secret that is refused",
                        LinkName.BOOTSTRAP_SECRET,
                        written(Reason.WriteRejected, LinkName.BOOTSTRAP_SECRET)),
                at(
                        "a token that may not be written",
                        LinkName.BOOTSTRAP_TOKEN,
                        written(Reason.WriteForbidden, LinkName.BOOTSTRAP_TOKEN)),
                at(
                        "a configuration that may not be written",
                        LinkName.RENDERED_CONFIG,
                        written(Reason.WriteForbidden, LinkName.RENDERED_CONFIG)));
    }

    private static Arguments at(String what, LinkName link, ASituation situation) {
        return Arguments.of(what, link, situation);
    }

    private static ASituation one(Reason reason) {
        return new ASituation().newNodes(NewNodes.BLOCKED).trouble(completed(reason), AGO);
    }

    private static ASituation two(Reason first, Reason second) {
        return one(first).trouble(completed(second), AGO.dividedBy(2));
    }

    private static ASituation written(Reason reason, LinkName link) {
        return new ASituation()
                .newNodes(NewNodes.BLOCKED)
                .trouble(reason, link, AGO, "cluster-7xk2m9: Secret a/b: it was refused; see to it");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void theFirstBrokenLinkIsTheCause(String what, LinkName link, ASituation situation) {
        WhyReport report = WhyReportBuilder.build(situation.build());

        assertThat(broken(report).name()).as(what).isEqualTo(link);
        assertThat(cause(report).classification().reason())
                .isEqualTo(broken(report).reason());
    }

    @Test
    void furtherProblemsAreToldBesideTheCauseWorstFirst() {
        WhyReport report = WhyReportBuilder.build(two(Reason.CredentialsExpiring, Reason.WriteForbidden)
                .trouble(completed(Reason.ProfileNotFound), AGO)
                .build());

        assertThat(cause(report).classification().reason()).isEqualTo(Reason.ProfileNotFound);
        assertThat(report.otherProblems())
                .extracting(problem -> problem.classification().reason())
                .containsExactly(Reason.WriteForbidden, Reason.CredentialsExpiring);
        assertThat(report.otherProblems()).isSortedAccordingTo(Comparator.comparing(problem -> problem.classification()
                .severity()));
    }

    @Test
    void aTokenThatEndedSinceTheLastRunKeepsNodesAwayNow() {
        WhyReport report = WhyReportBuilder.build(
                new ASituation().tokenLeft(Duration.ofMinutes(-3)).lost().build());

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(report.since()).isEqualTo(ASituation.NOW.minus(Duration.ofMinutes(3)));
        assertThat(report.verdict()).isEqualTo("new nodes of kube-system/workers-b cannot join");
    }

    @Test
    void aDeletedTokenIsTheCauseWithWhatKeepsTheHubFromMakingAnother() {
        String message = "cluster-7xk2m9: Secret kube-system/bootstrap-token-abcdef: it was deleted and not replaced"
                + " (WriteForbidden), new nodes cannot join; apply the worker role: hub cluster rbac shop -n"
                + " cluster-7xk2m9";
        WhyReport report = WhyReportBuilder.build(written(Reason.WriteForbidden, LinkName.BOOTSTRAP_TOKEN)
                .tokenDeleted("bootstrap-token-abcdef")
                .trouble(Reason.BootstrapTokenMissing, AGO, message)
                .machine("workers-b-1")
                .build());

        assertThat(report.verdict()).isEqualTo("machine workers-b-1 of kube-system/workers-b cannot join");
        assertThat(cause(report).classification().reason()).isEqualTo(Reason.BootstrapTokenMissing);
        assertThat(cause(report).text().message()).contains("bootstrap-token-abcdef");
        assertThat(cause(report).fix().cure()).isEqualTo("apply the worker role");
        assertThat(cause(report).fix().command()).isEqualTo("hub cluster rbac shop -n cluster-7xk2m9");
        assertThat(link(report, LinkName.BOOTSTRAP_TOKEN))
                .returns(LinkState.BROKEN, Link::state)
                .returns("bootstrap-token-abcdef was deleted", Link::summary);
    }

    @Test
    void aTokenDeletedWhileItsProfileIsWrongIsNamedBesideTheCause() {
        WhyReport report = WhyReportBuilder.build(two(Reason.TemplateSyntaxError, Reason.BootstrapTokenMissing)
                .tokenDeleted("bootstrap-token-abcdef")
                .build());

        assertThat(cause(report).classification().reason()).isEqualTo(Reason.TemplateSyntaxError);
        assertThat(link(report, LinkName.BOOTSTRAP_TOKEN).summary()).isEqualTo("bootstrap-token-abcdef was deleted");
    }

    @Test
    void aTokenDeletedSinceTheLastRunKeepsNodesAwayNow() {
        WhyReport report = WhyReportBuilder.build(
                new ASituation().tokenDeleted("bootstrap-token-abcdef").build());

        assertThat(report.newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(report.verdict()).isEqualTo("new nodes of kube-system/workers-b cannot join");
        assertThat(link(report, LinkName.BOOTSTRAP_TOKEN).summary()).isEqualTo("bootstrap-token-abcdef was deleted");
    }

    @Test
    void aServiceAccountsTokenDoesNotEnd() {
        WhyReport report =
                WhyReportBuilder.build(new ASituation().serviceAccount().build());

        assertThat(report.newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(link(report, LinkName.BOOTSTRAP_TOKEN).state()).isEqualTo(LinkState.OK);
    }

    @Test
    void whatIsBeingPublishedHasNoCause() {
        WhyReport report = WhyReportBuilder.build(new ASituation()
                .newNodes(NewNodes.BLOCKED)
                .config("2", "1", "v1.4.0", "aa", "bb")
                .build());

        assertThat(report.cause()).isNull();
        assertThat(report.verdict()).endsWith("do not start yet: it is being published");
        assertThat(link(report, LinkName.BOOTSTRAP_SECRET).state()).isEqualTo(LinkState.WAITING);
        assertThat(link(report, LinkName.BOOTSTRAP_SECRET).summary())
                .isEqualTo("revision 1, machine-controller wants 2");
    }

    @Test
    void whatIsNotKnownYetIsSaidSo() {
        WhyReport report = WhyReportBuilder.build(new ASituation()
                .newNodes(NewNodes.PENDING)
                .noSecrets()
                .noToken()
                .build());

        assertThat(report.verdict()).isEqualTo("what new nodes of kube-system/workers-b get is not known yet");
        assertThat(report.cause()).isNull();
    }

    @Test
    void machinesThatMayNotBeReadAreNoBrokenLink() {
        WhyReport report = WhyReportBuilder.build(
                new ASituation().machinesUnread("the hub may not list machines").build());

        assertThat(report.newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(link(report, LinkName.MACHINE_CONTROLLER_PICK_UP))
                .returns(LinkState.UNKNOWN, Link::state)
                .returns("machines were not read: the hub may not list machines", Link::summary);
    }

    @Test
    void theLastLinkWaitsForMachinesThatAreOverdue() {
        WhyReport report = WhyReportBuilder.build(
                new ASituation().machinesOverdue("0 of 2 machines created").build());

        assertThat(report.newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(link(report, LinkName.MACHINE_CONTROLLER_PICK_UP).state()).isEqualTo(LinkState.WAITING);
        assertThat(link(report, LinkName.MACHINE_CONTROLLER_PICK_UP).summary()).isEqualTo("0 of 2 machines created");
    }

    @Test
    void anOperatingSystemThatMachineControllerDoesNotAcceptIsNamedAtItsLink() {
        ASituation debian = new ASituation().profile("osm-profiles/osp-debian", "v1.1.0", "debian", "aws");
        String reason =
                "machine-controller does not accept debian, only ubuntu, amzn2, rockylinux, flatcar, rhel; another"
                        + " controller must create the machines";

        assertThat(List.of(
                        debian.machines(1, "a").build(),
                        debian.nobodyAskedForMachines().build()))
                .allSatisfy(situation -> assertThat(
                                link(WhyReportBuilder.build(situation), LinkName.MACHINE_CONTROLLER_PICK_UP))
                        .returns(LinkState.WAITING, Link::state)
                        .returns(reason, Link::summary));
        assertThat(link(
                        WhyReportBuilder.build(debian.trouble(completed(Reason.RevisionNotSet), AGO)
                                .build()),
                        LinkName.MACHINE_CONTROLLER_PICK_UP))
                .returns(LinkState.BROKEN, Link::state)
                .returns(reason, Link::summary);
    }

    @Test
    void machinesOfAnotherControllerAreCountedWhateverTheirOperatingSystem() {
        WhyReport report = WhyReportBuilder.build(new ASituation()
                .profile("osm-profiles/osp-debian", "v1.1.0", "debian", "aws")
                .machines(2)
                .build());

        assertThat(link(report, LinkName.MACHINE_CONTROLLER_PICK_UP))
                .returns(LinkState.OK, Link::state)
                .returns("2 of 2 machines have their user-data", Link::summary);
    }

    @Test
    void aReportFromStoredStateNamesTheReplicaThatDidNotAnswer() {
        assertThat(WhyReportBuilder.build(new ASituation().stored().build()).unansweredBy())
                .isEqualTo("osm-hub-1");
        assertThat(WhyReportBuilder.build(
                                new ASituation().nobodyAskedForMachines().build())
                        .unansweredBy())
                .isNull();
    }

    @Test
    void aPauseEndangersWhatIsCurrent() {
        WhyReport report = WhyReportBuilder.build(new ASituation()
                .trouble(
                        Reason.Paused,
                        AGO,
                        "cluster-7xk2m9: WorkerCluster shop, spec.paused: the hub writes nothing, bootstrap tokens"
                                + " expire from 2026-11-21T12:11:00Z; resume it: hub cluster resume shop -n"
                                + " cluster-7xk2m9")
                .build());

        assertThat(report.newNodes()).isEqualTo(NewNodes.AT_RISK);
        assertThat(report.verdict()).isEqualTo("nodes of kube-system/workers-b start until 12:11, then no longer");
        assertThat(cause(report).text().headline())
                .isEqualTo("The hub writes nothing, bootstrap tokens expire from 2026-11-21T12:11:00Z");
        assertThat(cause(report).fix().command()).isEqualTo("hub cluster resume shop -n cluster-7xk2m9");
    }

    @Test
    void aFailedRotationLeavesNodesStartingAsBeforeUntilTheOldCredentialExpires() {
        ASituation rotation = new ASituation().trouble(completed(Reason.NewCredentialsUnproven), AGO);

        assertThat(WhyReportBuilder.build(rotation.build()).verdict())
                .isEqualTo(
                        "nodes of kube-system/workers-b start as before, because the previous credential still works");
        assertThat(WhyReportBuilder.build(rotation.credentialEnd(Instant.parse("2026-11-21T18:30:00Z"))
                                .build())
                        .verdict())
                .isEqualTo("nodes of kube-system/workers-b start as before until the previous credential expires at"
                        + " 18:30");
    }

    @Test
    void whatAClusterThatWasNeverReadGivesIsNotKnownBecauseOfItsCause() {
        WhyReport report = WhyReportBuilder.build(new ASituation()
                .newNodes(NewNodes.PENDING)
                .noSecrets()
                .lost()
                .trouble(completed(Reason.CredentialsRejected), AGO)
                .build());

        assertThat(report.verdict())
                .isEqualTo("what new nodes of kube-system/workers-b get is not known yet: credentials rejected");
    }

    @Test
    void aPauseForAMissingSecretEndsWithTheSecret() {
        String cure = "create the Secret again to resume, or delete the WorkerCluster to remove the tenant";
        Problem paused = Reason.Paused.with(
                        "tenant",
                        "cluster-7xk2m9",
                        "wc",
                        "shop",
                        "field",
                        "spec.kubeconfigSecretRef.name",
                        "time",
                        "now")
                .withFix(cure);

        WhyReport report =
                WhyReportBuilder.build(new ASituation().trouble(paused, AGO).build());

        assertThat(cause(report).fix().cure()).isEqualTo(cure);
    }

    @Test
    void waitingMachinesAreNamedUpToFifty() {
        String[] names = new String[70];
        Arrays.setAll(names, i -> "machine-" + i);

        WhyReport report = WhyReportBuilder.build(
                one(Reason.ProfileNotFound).machines(70, names).build());

        assertThat(report.waitingMachines()).hasSize(50);
    }

    @Test
    void namesThatAreNoNamesStandInNoCommand() {
        String message = "t: MachineDeployment kube-system/workers-b, annotation x: no OperatingSystemProfile a in b;"
                + " did you mean \"$(reboot)\"?";

        WhyReport report = WhyReportBuilder.build(new ASituation()
                .newNodes(NewNodes.BLOCKED)
                .trouble(Reason.ProfileNotFound, AGO, message)
                .build());

        assertThat(cause(report).fix().command()).isNull();
    }

    @Test
    void everyReasonIsEitherALinksOrBesideTheChain() {
        List<Reason> neither = Arrays.stream(Reason.values())
                .filter(reason -> reason.severity() != Severity.INFO)
                .filter(reason -> (reason.brokenLink() != null) == BESIDE_THE_CHAIN.contains(reason))
                .toList();

        assertThat(neither).isEmpty();
    }

    private static Link link(WhyReport report, LinkName name) {
        return report.links().get(name.ordinal());
    }

    @Test
    void theVerdictOnTheLongestNamesIsWhole() {
        String name = "n".repeat(63) + "/" + "m".repeat(253);

        WhyReport report = WhyReportBuilder.build(new ASituation()
                .of("t", "web", name)
                .newNodes(NewNodes.BLOCKED)
                .profile("osm-profiles/osp-ubuntu", "v1.4.0", "ubuntu", "hetzner")
                .connection("api.web.example.org", "v1.34.2", 1)
                .trouble(Reason.NameTooLong, AGO, "t: MachineDeployment " + name + ": too long; replace it")
                .build());

        assertThat(report.verdict()).isEqualTo("new nodes of " + name + " do not start");
    }
}
