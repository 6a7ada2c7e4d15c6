package io.osmhub.tenancy.connection;

import static io.osmhub.tenancy.connection.FakeWorld.facts;
import static io.osmhub.tenancy.connection.FakeWorld.kubeconfig;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.client.CertificateFailure;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
import io.osmhub.tenancy.connection.ConnectionStatus.Phase;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClusterConnectionTest {
    private final ConnectFailure silent = ConnectFailure.of(Kind.NO_CONNECTION, "connection refused");
    private final ConnectFailure unauthorized = ConnectFailure.of(
            new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 401, "Unauthorized", "no", null), null);
    private static final Permission FIRST = RequiredPermissions.list().getFirst();

    private final FakeWorld world = new FakeWorld();
    private final ClusterConnection connection = world.connection("");

    private void connect() {
        connection.rotate(kubeconfig("a"));
        world.time.settle();
        assertThat(world.story)
                .containsExactly("Connecting Connecting", "connected a", "Connected ConnectionEstablished");
        world.story.clear();
    }

    @Test
    void beginsIdleAndSaysThatNothingWasTried() {
        assertThat(connection.status().phase()).isEqualTo(Phase.IDLE);
        assertThat(connection.status().credentials().message())
                .isEqualTo(
                        "cluster-x7f: WorkerCluster worker: the kubeconfig in Secret cluster-x7f/kubeconfig has not been tested yet");
    }

    @Test
    void connectsAndTellsAsWhom() {
        connect();

        ConnectionStatus report = world.lastReport();
        assertThat(report.credentials().reason()).isEqualTo(Reason.CredentialsAccepted);
        assertThat(report.credentials().message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: signed in as system:serviceaccount:kube-system:osm-hub");
        assertThat(report.connection().message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: connected to https://worker.example:6443 (v1.34.2)");
        assertThat(report.warnings()).isEmpty();
    }

    @Test
    void aServerThatIsNotThereIsToldAfterThreeTriesAndTriedOnAndOn() {
        world.failures.put("a", silent);
        connection.rotate(kubeconfig("a"));
        world.time.settle();
        assertThat(world.story).containsExactly("Connecting Connecting");

        world.time.advance(Duration.ofSeconds(15));

        assertThat(world.story).containsExactly("Connecting Connecting", "Unreachable WorkerClusterUnreachable");
        assertThat(world.lastReport().connection().message())
                .startsWith(
                        "cluster-x7f: WorkerCluster worker: no connection to https://worker.example:6443 (connection"
                                + " refused) since 2026-11-21T10:00:00Z; check that");
        assertThat(world.lastReport().credentials().reason()).isEqualTo(Reason.CredentialsNotChecked);

        world.failures.clear();
        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.story).endsWith("connected a", "Connected ConnectionEstablished");
    }

    /** Both are unreachable for the same reason. */
    @Test
    void aServerThatFailsInAnotherWayIsToldAgain() {
        world.failures.put("a", ConnectFailure.of(Kind.ANSWERS_ERRORS, "503: starting"));
        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofSeconds(15));
        assertThat(world.lastReport().connection().message()).contains("503: starting");
        assertThat(world.lastReport().noAnswerSince()).isNull();

        world.failures.put("a", silent);
        connection.reconnect();
        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.lastReport().noAnswerSince()).isNotNull();

        world.failures.put("a", ConnectFailure.of(Kind.NO_CONNECTION, "no route to host"));
        world.time.advance(Duration.ofMinutes(2));
        assertThat(world.lastReport().connection().message()).contains("no route to host");
    }

    @Test
    void aServerThatIsSilentForHoursIsTriedEveryFewSecondsAndFoundSoon() {
        world.failures.put("a", silent);
        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofHours(3));
        assertThat(world.attempts).isBetween(3 * 3600 / 8, 3 * 3600 / 2);
        // At most one status a minute.
        assertThat(world.reports.size()).isLessThanOrEqualTo(2 + 180);

        world.failures.clear();
        world.time.advance(Duration.ofSeconds(8));

        assertThat(connection.status().phase()).isEqualTo(Phase.CONNECTED);
    }

    @Test
    void aCertificateThatIsNotAcceptedIsToldAtOnceAndTriedRarely() {
        ApiFailure tls = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TLS, "no");
        world.failures.put(
                "a", ConnectFailure.of(tls, new CertificateFailure("it is for b", "sha256:aa", "sha256:bb")));

        connection.rotate(kubeconfig("a"));
        world.time.settle();

        assertThat(world.story).containsExactly("Connecting Connecting", "Unreachable TLSVerificationFailed");
        assertThat(world.lastReport().connection().message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: certificate of https://worker.example:6443: it is for b,"
                        + " expected CA sha256:aa, got sha256:bb; put the right certificate-authority-data into Secret"
                        + " cluster-x7f/kubeconfig: hub cluster rotate worker -n cluster-x7f --kubeconfig FILE");
        world.time.advance(Duration.ofHours(1));
        assertThat(world.attempts).isBetween(12, 40);
    }

    @Test
    void aRefusedCredentialWaitsForANewSecret() {
        world.failures.put("a", unauthorized);
        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofMinutes(4));
        assertThat(world.attempts).isEqualTo(1);
        assertThat(connection.status().phase()).isEqualTo(Phase.UNAUTHORIZED);
        assertThat(world.lastReport().credentials().message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: https://worker.example:6443 rejected the credential of"
                        + " Secret cluster-x7f/kubeconfig (401); store a new kubeconfig: hub cluster rotate worker -n"
                        + " cluster-x7f --kubeconfig FILE");

        world.time.advance(Duration.ofMinutes(2));
        assertThat(world.attempts).isEqualTo(2);

        connection.rotate(kubeconfig("b"));
        world.time.settle();
        assertThat(world.story).endsWith("connected b", "Connected ConnectionEstablished");
    }

    @Test
    void aRefusedCredentialThatHasEndedIsCalledExpired() {
        world.failures.put("a", unauthorized);

        connection.rotate(kubeconfig("a", VirtualTime.BEGIN.minusSeconds(60)));
        world.time.settle();

        assertThat(world.lastReport().credentials().message())
                .isEqualTo(
                        "cluster-x7f: Secret cluster-x7f/kubeconfig: the token expired 2026-11-21T09:59:00Z; store a new"
                                + " kubeconfig: hub cluster rotate worker -n cluster-x7f --kubeconfig FILE");
    }

    @Test
    void anAddressThatThePolicyRefusesIsAMatterOfTheCredential() {
        world.failures.put("a", ConnectFailure.refused("no", new RefusedAddress("127.0.0.1", "loopback")));

        connection.rotate(kubeconfig("a"));
        world.time.settle();

        assertThat(connection.status().phase()).isEqualTo(Phase.UNAUTHORIZED);
        assertThat(world.lastReport().credentials().message())
                .isEqualTo("cluster-x7f: Secret cluster-x7f/kubeconfig, clusters[0].cluster.server: worker.example is"
                        + " 127.0.0.1, a loopback address; use a reachable one, or allow it in kubeconfigPolicy");
    }

    @Test
    void aNameWithoutAddressIsTold() {
        world.failures.put("a", ConnectFailure.of(Kind.NOT_RESOLVED, "not found in DNS"));

        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofMinutes(1));

        assertThat(world.lastReport().connection().message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: worker.example does not resolve (not found in DNS);"
                        + " check the name in Secret cluster-x7f/kubeconfig and the hub's DNS");
    }

    @Test
    void whenTheServerAsksToWaitItIsLeftAlone() {
        world.failures.put(
                "a",
                ConnectFailure.of(
                        new ApiFailure(
                                ApiFailure.ApiFailureKind.ANSWERED, 429, "", "slow down", Duration.ofMinutes(10)),
                        null));

        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofSeconds(599));
        assertThat(world.attempts).isEqualTo(1);

        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.attempts).isEqualTo(2);
    }

    @Test
    void pingsUnansweredForThirtySecondsEndTheConnection() {
        connect();
        awaitPing();
        world.last().answersPings = false;
        world.failures.put("a", silent);

        world.time.advance(Duration.ofSeconds(40));

        assertThat(world.story)
                .containsExactly(
                        "Connected ConnectionEstablished",
                        "disconnected",
                        "Unreachable WorkerClusterNotResponding",
                        "Unreachable WorkerClusterUnreachable");
        assertThat(world.reports.get(1).connection().message())
                .startsWith("cluster-x7f: WorkerCluster worker: https://worker.example:6443 has not responded"
                        + " since 2026-11-21T10:00:");
        assertThat(world.links.getFirst().closed).isTrue();
        assertThat(world.losses).containsExactly("ping");
        assertThat(world.reports.get(1).credentials().reason()).isEqualTo(Reason.CredentialsAccepted);
    }

    @Test
    void aClusterThatStopsAnsweringIsReportedWithinOnePingInterval() {
        connect();
        Instant lastAnswer = awaitPing();

        world.last().answersPings = false;
        world.time.advance(Duration.ofSeconds(6).plusMillis(100));

        ConnectionStatus report = world.lastReport();
        assertThat(report.noAnswerSince()).isEqualTo(lastAnswer);
        assertThat(report.phase()).isEqualTo(Phase.CONNECTED);
        assertThat(report.connection().reason()).isEqualTo(Reason.ConnectionEstablished);
        assertThat(FakeWorld.DEFAULT.pingTimeout().plus(FakeWorld.DEFAULT.pingInterval()))
                .isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void theTimeOfTheLastAnswerStaysTheSameUntilTheNextAnswer() {
        connect();
        Instant lastAnswer = awaitPing();
        world.last().answersPings = false;
        world.failures.put("a", silent);

        world.time.advance(Duration.ofMinutes(5));

        assertThat(world.lastReport().connection().reason()).isEqualTo(Reason.WorkerClusterUnreachable);
        assertThat(world.reports).extracting(ConnectionStatus::noAnswerSince).containsOnly(lastAnswer);

        world.failures.clear();
        world.time.advance(Duration.ofMinutes(1));
        assertThat(world.lastReport().phase()).isEqualTo(Phase.CONNECTED);
        assertThat(world.lastReport().noAnswerSince()).isNull();
    }

    @Test
    void aClusterThatAnswersAgainIsReportedOnce() {
        connect();
        awaitPing();
        world.last().answersPings = false;
        world.time.advance(Duration.ofSeconds(13));
        assertThat(world.reports).hasSize(1);

        world.last().answersPings = true;
        world.time.advance(Duration.ofMinutes(10));

        assertThat(world.reports)
                .extracting(ConnectionStatus::noAnswerSince)
                .hasSize(2)
                .endsWith((Instant) null);
        assertThat(world.reports)
                .extracting(report -> report.connection().reason())
                .containsOnly(Reason.ConnectionEstablished);
    }

    @Test
    void anAnsweredRequestCountsAsAnAnswerWhileAPingIsOutstanding() {
        connect();
        awaitPing();
        CompletableFuture<Integer> ping = new CompletableFuture<>();
        world.last().pending = ping;
        awaitPing();

        world.time.advance(Duration.ofSeconds(1));
        world.last().observer.onRequestFinished(null);
        ping.complete(1);
        world.time.settle();

        assertThat(world.reports).isEmpty();
    }

    @Test
    void aClosedConnectionThatCannotBeOpenedAgainIsReportedWithinTenSeconds() {
        connect();
        Instant lastAnswer = awaitPing();
        world.last().connected = false;
        world.last().probeHangs = true;

        world.last().observer.onLost(false);
        world.time.advance(Duration.ofSeconds(9));

        assertThat(world.lastReport().noAnswerSince()).isEqualTo(lastAnswer);
    }

    @Test
    void anApiServerThatRejectsTheCredentialAnswers() {
        world.failures.put("a", ConnectFailure.of(Kind.UNAUTHORIZED, "401"));
        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.lastReport().noAnswerSince()).isNull();

        Instant rejected = world.time.now();
        world.failures.put("a", silent);
        world.time.advance(Duration.ofHours(1));

        assertThat(world.lastReport().noAnswerSince()).isAfterOrEqualTo(rejected.minusSeconds(1));
        assertThat(world.lastReport().connection().reason()).isEqualTo(Reason.WorkerClusterUnreachable);
    }

    /** Returns the time of the next answered ping. */
    private Instant awaitPing() {
        world.reports.clear();
        int before = world.last().pings;
        while (world.last().pings == before) {
            world.time.advance(Duration.ofMillis(100));
        }
        return world.last().pingedAt;
    }

    @Test
    void twoUnansweredPingsAreForgotten() {
        connect();
        FakeWorld.FakeLink link = world.last();
        link.answersPings = false;
        while (link.unanswered < 2) {
            world.time.advance(Duration.ofSeconds(1));
        }
        link.answersPings = true;

        world.time.advance(Duration.ofMinutes(10));

        assertThat(world.story).containsExactly("Connected ConnectionEstablished", "Connected ConnectionEstablished");
        assertThat(link.pings).isGreaterThan(50);
    }

    @Test
    void aShortBreakChangesNothing() {
        connect();

        world.last().observer.onLost(true);
        world.time.settle();
        world.time.advance(Duration.ofMinutes(1));

        assertThat(world.story).isEmpty();
        assertThat(world.last().probes).isEqualTo(1);
        assertThat(world.losses).containsExactly("goaway");
    }

    @Test
    void aBreakThatLastsIsToldAfterSomeTries() {
        connect();
        world.last().probeFails = silent;
        world.failures.put("a", silent);

        world.last().observer.onLost(false);
        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.story).isEmpty();
        world.time.advance(Duration.ofSeconds(4));

        assertThat(world.story).containsExactly("disconnected", "Unreachable WorkerClusterUnreachable");
        assertThat(world.links.getFirst().probes).isEqualTo(3);

        world.failures.clear();
        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.story).endsWith("connected a", "Connected ConnectionEstablished");
    }

    @Test
    void aLinkThatBreaksAgainAndAgainIsNotProbedWithoutPause() {
        connect();

        for (int i = 0; i < 1000; i++) {
            world.last().observer.onLost(false);
            world.time.advance(Duration.ofMillis(10));
        }

        assertThat(world.last().probes).isLessThanOrEqualTo(12);
    }

    @Test
    void aRequestThatIsNotSignedInIsLookedIntoBeforeItIsBelieved() {
        connect();
        ApiFailure failure = new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 401, "Unauthorized", "no", null);

        connection.onRequestFailed(failure);
        world.time.settle();
        assertThat(world.story).isEmpty();

        world.last().probeFails = unauthorized;
        world.failures.put("a", unauthorized);
        world.time.advance(Duration.ofSeconds(2));
        connection.onRequestFailed(failure);
        world.time.settle();
        assertThat(world.story).containsExactly("disconnected", "Unauthorized CredentialsRejected");
        world.time.advance(Duration.ofMinutes(4));
        assertThat(world.attempts).isEqualTo(1);
    }

    @Test
    void aProbeThatFailsUnexpectedlyIsRepeatedAndCountsAsUnanswered() {
        connect();
        world.last().bug = new IllegalStateException("broken");
        world.last().observer.onLost(false);
        world.time.settle();
        world.last().bug = null;
        world.time.advance(Duration.ofSeconds(2));
        assertThat(world.last().probes).isEqualTo(2);
        assertThat(world.story).isEmpty();

        world.last().bug = new IllegalStateException("broken");
        world.last().observer.onLost(false);
        world.time.advance(Duration.ofSeconds(20));
        assertThat(world.story).startsWith("disconnected").endsWith("connected a", "Connected ConnectionEstablished");
    }

    @Test
    void aReviewThatFailsUnexpectedlyIsRepeated() {
        world.facts.put("a", facts("id-1", FIRST));
        connection.rotate(kubeconfig("a"));
        world.time.settle();
        world.last().bug = new IllegalStateException("broken");
        world.time.advance(Duration.ofMinutes(6));

        world.last().bug = null;
        world.last().review = new VerifiedConnection.AccessReview(java.util.List.of(), false, null);
        world.time.advance(Duration.ofMinutes(6));

        assertThat(world.last().reviews).isEqualTo(1);
        assertThat(world.lastReport().credentials().reason()).isEqualTo(Reason.CredentialsAccepted);
    }

    @Test
    void missingPermissionsAreToldWhileTheConnectionIsUsed() {
        world.facts.put("a", facts("id-1", FIRST, RequiredPermissions.list().get(1)));
        connection.rotate(kubeconfig("a"));
        world.time.settle();

        assertThat(world.story).containsExactly("Connecting Connecting", "connected a", "Connected PermissionsMissing");
        assertThat(world.lastReport().credentials().message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: system:serviceaccount:kube-system:osm-hub may not get"
                        + " machinedeployments.cluster.k8s.io (and 1 more); apply the worker role: in worker cluster"
                        + " worker: hub cluster rbac worker -n cluster-x7f | kubectl apply -f -");

        world.last().review = new VerifiedConnection.AccessReview(java.util.List.of(), false, null);
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.lastReport().credentials().reason()).isEqualTo(Reason.CredentialsAccepted);
    }

    @Test
    void aForbiddenRequestLooksAtPermissionsOnce() {
        connect();
        ApiFailure forbidden = new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 403, "Forbidden", "no", null);
        world.last().review = new VerifiedConnection.AccessReview(java.util.List.of(FIRST), false, null);

        for (int i = 0; i < 100; i++) {
            connection.onRequestFailed(forbidden);
            world.time.settle();
        }

        assertThat(world.last().reviews).isEqualTo(1);
        assertThat(world.lastReport().credentials().reason()).isEqualTo(Reason.PermissionsMissing);
    }

    @Test
    void nothingIsAskedOfAClusterThatIsFine() {
        connect();

        world.time.advance(Duration.ofHours(24));

        assertThat(world.last().reviews).isZero();
        assertThat(world.last().probes).isZero();
        assertThat(world.story).isEmpty();
        assertThat(world.last().pings).isBetween(14_350, 14_450);
    }

    @Test
    void aPeerThatRunsIsAConcernUntilItIsGone() {
        world.facts.put(
                "a",
                new ConnectionFacts(
                        "https://worker.example:6443",
                        "v1.34.2",
                        "id-1",
                        "user",
                        java.util.List.of(),
                        false,
                        new PeerLease("operating-system-manager", "pod-1"),
                        Duration.ZERO));
        connection.rotate(kubeconfig("a"));
        world.time.settle();
        assertThat(world.lastReport().warnings()).singleElement().satisfies(concern -> assertThat(concern.message())
                .isEqualTo("cluster-x7f: WorkerCluster worker: operating-system-manager is still running (Lease"
                        + " kube-system/operating-system-manager, holder pod-1), nothing is written; scale it to 0,"
                        + " the hub takes over at most 25 s later"));

        world.last().peer(null);
        world.time.advance(Duration.ofSeconds(6));

        assertThat(world.lastReport().warnings()).isEmpty();
        assertThat(world.lastReport().phase()).isEqualTo(Phase.CONNECTED);
        assertThat(world.lastReport().facts().peer()).isNull();
    }

    @Test
    void anOldVersionAndAWrongClockAreConcerns() {
        world.facts.put(
                "a",
                new ConnectionFacts(
                        "https://worker.example:6443",
                        "v1.27.16+k3s1",
                        "id-1",
                        "user",
                        java.util.List.of(),
                        false,
                        null,
                        Duration.ofSeconds(-200)));

        connection.rotate(kubeconfig("a"));
        world.time.settle();

        assertThat(world.lastReport().warnings())
                .extracting(Problem::message)
                .containsExactly(
                        "cluster-x7f: WorkerCluster worker: Kubernetes v1.27.16+k3s1 is older than v1.28, the oldest that the hub"
                                + " is tested with; upgrade the cluster",
                        "cluster-x7f: WorkerCluster worker: its clock is 3 min 20 s behind, tokens may expire early or late; fix time"
                                + " synchronization");

        world.last().greeting = new VerifiedConnection.ServerInfo("v1.34.2", Duration.ofSeconds(-90));
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.lastReport().warnings()).extracting(Problem::reason).containsExactly(Reason.WorkerClockSkewed);
        world.last().greeting = new VerifiedConnection.ServerInfo("v1.34.2", Duration.ofSeconds(-30));
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.lastReport().warnings()).isEmpty();
    }

    @Test
    void anotherClusterIsNotUsedUntilItIsAccepted() {
        ClusterConnection known = world.connection("id-0");

        known.rotate(kubeconfig("a"));
        world.time.settle();

        assertThat(world.story).containsExactly("Connecting Connecting", "IdentityChanged ClusterIdentityChanged");
        assertThat(world.lastReport().connection().message())
                .isEqualTo(
                        "cluster-x7f: WorkerCluster worker: https://worker.example:6443 is another cluster than before"
                                + " (id-1 instead of id-0), nothing is written; if it was rebuilt, accept it: kubectl annotate"
                                + " wc worker -n cluster-x7f osmhub.io/accept-cluster-id=id-1");
        assertThat(world.last().closed).isTrue();

        known.acceptClusterId("id-1");
        world.time.settle();
        assertThat(world.story).endsWith("connected a", "Connected ConnectionEstablished");
    }

    @Test
    void manyRefusedRequestsMakeItDegradedUntilAlmostNoneIs() {
        connect();
        ApiFailure busy = new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 503, "", "busy", null);
        for (int i = 0; i < 20; i++) {
            world.last().observer.onRequestFinished(i % 4 == 0 ? busy : null);
        }
        world.time.settle();

        assertThat(world.story).containsExactly("Degraded WorkerClusterDegraded");
        assertThat(world.lastReport().connection().message())
                .matches(
                        "cluster-x7f: WorkerCluster worker: https://worker.example:6443 returned 503 for \\d+ of \\d+ requests in"
                                + " the last minute, the hub sends fewer requests; check the API server's load");

        world.time.advance(Duration.ofSeconds(80));
        assertThat(world.story).endsWith("Connected ConnectionEstablished");
    }

    @Test
    void tooManyRequestsAreAReasonOfTheirOwnWithTheServersMessage() {
        connect();
        for (int i = 0; i < 20; i++) {
            world.last().observer.onRequestFinished(i % 4 == 0 ? tooMany() : null);
        }
        world.time.settle();

        assertThat(world.story).containsExactly("Degraded WorkerClusterThrottled");
        assertThat(world.lastReport().connection().message())
                .startsWith("cluster-x7f: WorkerCluster worker: https://worker.example:6443 throttles the hub"
                        + " (429: too many requests, please try again), the hub sends fewer");
    }

    @Test
    void aNewConnectionThatIsThrottledIsNotToldToCheckTheNetworkPath() {
        world.failures.put("a", ConnectFailure.of(tooMany(), null));
        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofSeconds(30));

        assertThat(world.story).endsWith("Unreachable WorkerClusterThrottled");
        assertThat(world.lastReport().connection().message())
                .contains("too many requests, please try again")
                .doesNotContain("network path");
    }

    private static ApiFailure tooMany() {
        return new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED,
                429,
                "TooManyRequests",
                "too many requests, please try again",
                Duration.ofSeconds(1));
    }

    @Test
    void aNewKubeconfigIsProvenBeforeTheOldOneGoes() {
        connect();

        connection.rotate(kubeconfig("b"));
        world.time.settle();

        assertThat(world.story).containsExactly("rotated b");
        assertThat(world.links.getFirst().closed).isFalse();
        world.time.advance(Duration.ofSeconds(11));
        assertThat(world.links.getFirst().closed).isTrue();
        assertThat(world.last().closed).isFalse();
        assertThat(world.losses).containsExactly("credentials");
    }

    @Test
    void aNewKubeconfigThatFailsLeavesTheOldOneInUse() {
        connection.rotate(kubeconfig("a", Instant.parse("2027-11-21T10:00:00Z")));
        world.time.settle();
        world.story.clear();
        world.failures.put("b", unauthorized);

        connection.rotate(kubeconfig("b"));
        world.time.advance(Duration.ofMinutes(2));

        assertThat(world.story).containsExactly("Connected NewCredentialsUnproven");
        assertThat(world.lastReport().credentials().message())
                .isEqualTo(
                        "cluster-x7f: Secret cluster-x7f/kubeconfig: the new kubeconfig failed its test (401: no), the"
                                + " previous one stays in use until 2027-11-21T10:00:00Z; store a working one: hub cluster rotate worker -n cluster-x7f --kubeconfig FILE");
        assertThat(world.links.getFirst().closed).isFalse();

        connection.rotate(kubeconfig("c"));
        world.time.settle();
        assertThat(world.story).endsWith("rotated c", "Connected ConnectionEstablished");
    }

    @Test
    void aNewKubeconfigWithLessPermissionsIsNotTaken() {
        connect();
        world.facts.put("b", facts("id-1", FIRST));

        connection.rotate(kubeconfig("b"));
        world.time.settle();

        assertThat(world.story).containsExactly("Connected NewCredentialsUnproven");
        assertThat(world.lastReport().credentials().message()).contains("may not get machinedeployments");
        assertThat(world.last().closed).isTrue();
    }

    @Test
    void goingBackToTheKubeconfigInUseEndsTheProof() {
        connect();
        world.failures.put("b", unauthorized);
        connection.rotate(kubeconfig("b"));
        world.time.settle();

        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofHours(1));

        assertThat(world.lastReport().credentials().reason()).isEqualTo(Reason.CredentialsAccepted);
        assertThat(world.attempts).isEqualTo(2);
        assertThat(world.links.getFirst().closed).isFalse();
    }

    @Test
    void theOldKubeconfigHelpsOutWhenTheConnectionBreaksAndTheNewOneFails() {
        connect();
        world.failures.put("b", unauthorized);
        connection.rotate(kubeconfig("b"));
        world.time.settle();
        world.story.clear();
        world.last().probeFails = silent;
        world.last().observer.onLost(false);

        world.time.advance(Duration.ofSeconds(20));

        assertThat(world.story).contains("connected a").endsWith("Connected NewCredentialsUnproven");
        assertThat(connection.status().phase()).isEqualTo(Phase.CONNECTED);
        world.failures.clear();
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.story).endsWith("rotated b", "Connected ConnectionEstablished");
    }

    @Test
    void otherTimeoutsAreVerifiedWithTheKubeconfigInUseBeforeTheOldConnectionGoes() {
        connect();
        world.failures.put("b", unauthorized);
        connection.rotate(kubeconfig("b"));
        world.time.settle();
        world.story.clear();

        connection.configure(new ConnectionOptions(Duration.ofSeconds(20), Duration.ofSeconds(9)));
        world.time.settle();

        assertThat(world.story).startsWith("rotated a").endsWith("Connected NewCredentialsUnproven");
        assertThat(world.last().options)
                .isEqualTo(new ConnectionOptions(Duration.ofSeconds(20), Duration.ofSeconds(9)));
        assertThat(world.links.getFirst().closed).isFalse();
        world.time.advance(Duration.ofSeconds(11));
        assertThat(world.links.getFirst().closed).isTrue();
        assertThat(world.last().closed).isFalse();
        assertThat(world.losses).isEmpty();

        world.failures.clear();
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.story).endsWith("rotated b", "Connected ConnectionEstablished");
        assertThat(world.last().options.requestTimeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void otherTimeoutsThatCannotBeVerifiedLeaveTheConnectionAndAreTriedAgain() {
        connect();
        world.failures.put("a", silent);

        connection.configure(new ConnectionOptions(Duration.ofSeconds(20), Duration.ofSeconds(6)));
        world.time.advance(Duration.ofMinutes(2));

        assertThat(world.story).isEmpty();
        assertThat(world.links).hasSize(1);
        assertThat(world.last().closed).isFalse();

        world.failures.clear();
        world.time.advance(Duration.ofMinutes(2));
        assertThat(world.story).containsExactly("rotated a");
        assertThat(world.last().options.requestTimeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void otherTimeoutsAndANewKubeconfigDoNotWaitForEachOther() {
        connect();
        world.failures.put("a", unauthorized);
        world.failures.put("b", unauthorized);
        connection.rotate(kubeconfig("b"));
        connection.configure(new ConnectionOptions(Duration.ofSeconds(20), Duration.ofSeconds(6)));
        world.time.settle();

        world.failures.remove("b");
        world.time.advance(Duration.ofMinutes(20));

        assertThat(world.story).containsExactly("rotated b");
        assertThat(world.last().options.requestTimeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void otherTimeoutsWhileConnectingAreUsed() {
        connection.rotate(kubeconfig("a"));
        connection.configure(new ConnectionOptions(Duration.ofSeconds(20), Duration.ofSeconds(6)));
        world.time.settle();

        assertThat(world.last().options.requestTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(connection.status().phase()).isEqualTo(Phase.CONNECTED);
    }

    @Test
    void otherTimeoutsAreTriedAtOnceWhileNoConnectionIsInUse() {
        world.failures.put("a", silent);
        connection.rotate(kubeconfig("a"));
        world.time.advance(Duration.ofMinutes(5));
        world.failures.clear();

        connection.configure(new ConnectionOptions(Duration.ofSeconds(20), Duration.ofSeconds(6)));
        world.time.settle();

        assertThat(world.last().options.requestTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(connection.status().phase()).isEqualTo(Phase.CONNECTED);
    }

    @Test
    void anEndThatComesNearIsTold() {
        connection.rotate(kubeconfig("a", VirtualTime.BEGIN.plus(Duration.ofDays(15))));
        world.time.settle();
        assertThat(world.lastReport().credentials().reason()).isEqualTo(Reason.CredentialsAccepted);

        world.time.advance(Duration.ofHours(26));

        assertThat(world.lastReport().credentials().message())
                .startsWith(
                        "cluster-x7f: Secret cluster-x7f/kubeconfig: the token expires 2026-12-06T10:00:00Z, in 13 d 2");
    }

    @Test
    void theSameKubeconfigAgainDoesNothing() {
        connect();

        connection.rotate(kubeconfig("a"));
        world.time.settle();

        assertThat(world.attempts).isEqualTo(1);
        assertThat(world.story).isEmpty();
    }

    @Test
    void afterCloseNothingHappens() {
        connect();

        connection.close();
        world.time.settle();
        connection.rotate(kubeconfig("b"));
        connection.reconnect();
        world.last().observer.onLost(false);
        world.time.advance(Duration.ofHours(1));

        assertThat(world.story).containsExactly("disconnected", "Closed ConnectionEstablished");
        assertThat(world.attempts).isEqualTo(1);
        assertThat(world.last().closed).isTrue();
        assertThat(world.last().pings).isZero();
    }

    @Test
    void aLinkThatComesAfterCloseIsClosed() {
        connection.rotate(kubeconfig("a"));
        connection.close();

        world.time.settle();

        assertThat(world.story).doesNotContain("connected a");
        assertThat(world.links).allMatch(link -> link.closed);
    }

    @Test
    void aChangedObjectIsReasonToTryAtOnce() {
        world.failures.put("a", unauthorized);
        connection.rotate(kubeconfig("a"));
        world.time.settle();
        world.failures.clear();

        connection.reconnect();
        world.time.settle();

        assertThat(connection.status().phase()).isEqualTo(Phase.CONNECTED);
    }

    @Test
    void noMessageShowsTheCredential() {
        connect();
        world.failures.put("b", unauthorized);
        connection.rotate(kubeconfig("b"));
        world.time.advance(Duration.ofHours(1));

        assertThat(world.reports.toString()).doesNotContain("secret-a").doesNotContain("secret-b");
    }
}
