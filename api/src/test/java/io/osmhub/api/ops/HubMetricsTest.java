package io.osmhub.api.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.http.RequestTrace;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HubMetricsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final HubMetrics metrics = new HubMetrics("1.2.3", "abc");

    private static WorkerClusterStatus status(State state, @Nullable Duration credentialsEndIn) {
        return new WorkerClusterStatus(
                1L,
                null,
                state,
                null,
                null,
                null,
                null,
                credentialsEndIn == null ? null : NOW.plus(credentialsEndIn).toString(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static io.osmhub.workersync.reconcile.MachineDeploymentState workers(
            NewNodes newNodes, @Nullable Duration tokenEndsIn) {
        return new io.osmhub.workersync.reconcile.MachineDeploymentState(
                new MachineDeploymentReport("kube-system", "workers", "profile", newNodes, List.of(), List.of(), null),
                "uid",
                "1.34.4",
                "1",
                null,
                tokenEndsIn == null ? null : new Decision.TokenInUse("bootstrap-token-x", NOW.plus(tokenEndsIn)),
                null,
                NOW);
    }

    private static TenantView tenant(
            String name,
            State state,
            @Nullable Duration credentialsEndIn,
            List<Reason> problems,
            io.osmhub.workersync.reconcile.MachineDeploymentState... machineDeployments) {
        List<OpenProblem> open = problems.stream()
                .map(reason -> new OpenProblem(
                        reason.wireName(),
                        ProblemSeverity.ERROR,
                        null,
                        null,
                        null,
                        null,
                        "a message",
                        NOW.toString(),
                        null))
                .toList();
        SyncStatus sync = new SyncStatus(
                SyncStatus.Phase.WORKING,
                List.of(machineDeployments),
                Map.of(),
                List.of(),
                Map.of(Resource.SECRETS, 4));
        return new TenantView(name, "worker", status(state, credentialsEndIn), open, null, sync);
    }

    private void show(List<TenantView> tenants, int series) {
        metrics.updateFleet(new HubMetrics.FleetSnapshot(tenants, Map.of("namespaces", 3), List.of(), NOW, series));
    }

    /** Without those of the JVM, which begin with its first garbage collection. */
    private List<String> series() {
        return metrics.scrape()
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith("jvm_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    private String value(String series) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> line.substring(series.length() + 1))
                .collect(Collectors.joining(","));
    }

    @Test
    void extensionsAreCountedByPolicy() {
        metrics.extensions(Map.of(Policy.ENFORCED, 2), Map.of(Policy.ENFORCED, 40, Policy.OPTIONAL, 1));

        assertThat(value("osm_hub_extensions{policy=\"enforced\"}")).isEqualTo("2.0");
        assertThat(value("osm_hub_extensions{policy=\"default\"}")).isEqualTo("0.0");
        assertThat(value("osm_hub_extended_machine_deployments{policy=\"enforced\"}"))
                .isEqualTo("40.0");
        assertThat(value("osm_hub_extended_machine_deployments{policy=\"optional\"}"))
                .isEqualTo("1.0");
    }

    @Test
    void whatIsFewAndKnownIsThereFromTheStart() {
        show(List.of(), 0);

        assertThat(value("osm_hub_reconciles_total{result=\"hub_bug\"}")).isEqualTo("0.0");
        assertThat(value("osm_hub_publish_seconds_count{trigger=\"created\"}")).isEqualTo("0");
        assertThat(value("osm_hub_worker_clusters{state=\"unreachable\"}")).isEqualTo("0.0");
        assertThat(value("osm_hub_handovers_total{cause=\"expired\"}")).isEqualTo("0.0");
        assertThat(value("osm_hub_bootstrap_token_min_validity_seconds")).isEqualTo("NaN");
        assertThat(series()).anyMatch(line -> line.startsWith("osm_hub_build_info{") && line.contains("\"1.2.3\""));
    }

    @Test
    void credentialsThatEndAreCountedInEverySpanThatHoldsTheirEnd() {
        show(
                List.of(
                        tenant("a", State.SYNCED, Duration.ofHours(3), List.of()),
                        tenant("b", State.SYNCED, Duration.ofDays(6), List.of()),
                        tenant("c", State.SYNCED, Duration.ofDays(13), List.of()),
                        tenant("d", State.UNAUTHORIZED, Duration.ofHours(-1), List.of()),
                        tenant("e", State.SYNCED, null, List.of())),
                0);

        assertThat(List.of(
                        value("osm_hub_credentials_expiring{within=\"1d\"}"),
                        value("osm_hub_credentials_expiring{within=\"7d\"}"),
                        value("osm_hub_credentials_expiring{within=\"14d\"}"),
                        value("osm_hub_credentials_expiring{within=\"ended\"}")))
                .containsExactly("1.0", "2.0", "3.0", "1.0");
    }

    @Test
    void tokensAreCountedByWhatIsLeftOfThemAndABlockedMachineDeploymentNeedsNone() {
        show(
                List.of(tenant(
                        "a",
                        State.SYNCED,
                        null,
                        List.of(),
                        workers(NewNodes.CURRENT, Duration.ofMinutes(90)),
                        workers(NewNodes.CURRENT, Duration.ofMinutes(45)),
                        workers(NewNodes.BLOCKED, Duration.ofMinutes(5)))),
                0);

        assertThat(value("osm_hub_bootstrap_token_min_validity_seconds")).isEqualTo("2700.0");
        assertThat(value("osm_hub_bootstrap_tokens{left=\"ge60m\"}")).isEqualTo("1.0");
        assertThat(value("osm_hub_bootstrap_tokens{left=\"lt60m\"}")).isEqualTo("1.0");
        assertThat(value("osm_hub_bootstrap_tokens{left=\"lt20m\"}")).isEqualTo("0.0");
    }

    @Test
    void aReasonThatHasNoProblemAnyMoreStaysAtZero() {
        show(List.of(tenant("a", State.DEGRADED, null, List.of(Reason.ProfileNotFound))), 0);
        String series = series().stream()
                .filter(line -> line.contains("reason=\"ProfileNotFound\""))
                .findFirst()
                .orElseThrow();
        assertThat(value(series)).isEqualTo("1.0");

        show(List.of(tenant("a", State.SYNCED, null, List.of())), 0);

        assertThat(value(series)).isEqualTo("0.0");
    }

    @Test
    void noTenantHasASeriesUnlessTheyAreAskedForAndOneThatIsGoneHasNone() {
        List<TenantView> both = List.of(
                tenant(
                        "tenant-a",
                        State.SYNCED,
                        Duration.ofDays(1),
                        List.of(),
                        workers(NewNodes.CURRENT, Duration.ofHours(1))),
                tenant("tenant-b", State.UNREACHABLE, null, List.of()));
        show(both, 0);
        assertThat(series()).noneMatch(line -> line.contains("tenant-"));

        show(both, 100);
        assertThat(value("osm_hub_tenant_up{namespace=\"tenant-a\",worker_cluster=\"worker\"}"))
                .isEqualTo("1.0");
        assertThat(value("osm_hub_tenant_up{namespace=\"tenant-b\",worker_cluster=\"worker\"}"))
                .isEqualTo("0.0");
        assertThat(value("osm_hub_tenants_without_series")).isEqualTo("0.0");

        show(both.subList(0, 1), 100);
        assertThat(series()).anyMatch(line -> line.contains("tenant-a"));
        assertThat(series()).noneMatch(line -> line.contains("tenant-b"));

        show(both, 0);
        assertThat(series()).noneMatch(line -> line.contains("tenant-"));
    }

    @Test
    void tenantsBeyondTheLimitHaveNoSeriesAndAreCounted() {
        List<TenantView> many = tenants(1_000);

        show(many, 2_000);

        List<String> own = series().stream()
                .filter(line -> line.contains("namespace=\"tenant-"))
                .toList();
        assertThat(own).hasSizeBetween(1_900, 2_000);
        assertThat(Double.parseDouble(value("osm_hub_tenants_without_series"))).isBetween(700.0, 900.0);
    }

    @Test
    void aProblemIsCountedForWhoeverMayChangeItsObject() {
        TenantView view = tenant("tenant-1", State.SYNCED, null, List.of());
        List<OpenProblem> open = Stream.of("osm-profiles", "tenant-1")
                .map(namespace -> new Problem(
                                Reason.TemplateExecutionFailed,
                                ProblemObject.of("OperatingSystemProfile", namespace + "/osp"),
                                "",
                                "it fails",
                                "")
                        .inTenant("tenant-1", "worker"))
                .map(problem -> new OpenProblem(
                        problem.reason().wireName(),
                        ProblemSeverity.ERROR,
                        null,
                        null,
                        null,
                        null,
                        problem.message(),
                        NOW.toString(),
                        StoredProblem.of(problem)))
                .toList();

        show(List.of(new TenantView("tenant-1", "worker", view.status(), open, null, null)), 0);

        for (String actor : List.of("operator", "tenant")) {
            assertThat(value("osm_hub_problems{actor=\"" + actor
                            + "\",category=\"profile\",reason=\"TemplateExecutionFailed\",severity=\"Error\"}"))
                    .isEqualTo("1.0");
        }
    }

    private static List<TenantView> tenants(int number) {
        List<Reason> reasons = List.of(Reason.values());
        return IntStream.range(0, number)
                .mapToObj(i -> tenant(
                        String.format("tenant-%04d", i),
                        State.values()[i % State.values().length],
                        Duration.ofDays(i % 20),
                        List.of(reasons.get(i % reasons.size())),
                        workers(NewNodes.values()[i % NewNodes.values().length], Duration.ofMinutes(i % 120))))
                .toList();
    }

    /** The hub asks no API server for each kind with each verb; it uses about half of what is counted here. */
    private void everythingHappens() {
        for (RequestObserver requests : List.of(metrics.workerRequests(), metrics.managementRequests())) {
            for (Resource resource : Resource.values()) {
                for (Verb verb : List.of(Verb.GET, Verb.LIST, Verb.WATCH, Verb.CREATE, Verb.PATCH)) {
                    requests.onFinished(verb, resource, null, Duration.ofMillis(1));
                    requests.onFinished(
                            verb,
                            resource,
                            ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "gone"),
                            Duration.ofMillis(1));
                }
            }
        }
        for (ContractOperation operation : ApiContract.load().operations()) {
            for (int status : List.of(200, 400, 500)) {
                metrics.http()
                        .onResponse(
                                operation.path(), operation.method(), status, Duration.ofMillis(1), RequestTrace.NONE);
            }
        }
        for (Resource resource : Resource.values()) {
            for (String cause : Set.of("expired", "closed", "error")) {
                metrics.syncs().onWatchRestarted(resource.plural(), cause);
            }
        }
        for (Reason reason : Reason.values()) {
            metrics.syncs().onRenderingRejected(reason.wireName());
        }
    }

    /** Whoever reaches the port chooses the word, signed in or not. */
    @Test
    void methodsThatNobodyServesAreOneSeries() {
        metrics.http().onResponse("other", "BREW", 404, Duration.ofMillis(1), RequestTrace.NONE);
        int before = series().size();

        for (int i = 0; i < 1_000; i++) {
            metrics.http().onResponse("other", "BREW" + i, 404, Duration.ofMillis(1), RequestTrace.NONE);
        }

        assertThat(series()).hasSize(before);
        assertThat(metrics.scrape())
                .contains("osm_hub_http_requests_total{code=\"4xx\",method=\"other\",route=\"other\"} 1001.0");
    }

    @Test
    void aThousandTenantsStayWithinFiveThousandSeriesAndComeBackToTheBaseWhenTheyAreGone() {
        everythingHappens();
        show(List.of(), 0);
        int base = series().size();

        show(tenants(1_000), 0);
        int full = series().size();
        assertThat(full).isLessThan(5_000);

        show(tenants(1_000), 2_000);
        assertThat(series()).hasSizeBetween(full + 1_900, full + 2_001);

        show(List.of(), 0);
        List<String> reasons = new ArrayList<>(series());
        reasons.removeIf(line -> !line.startsWith("osm_hub_problems{"));
        // What stays is one series for each reason that was met, and a kind of object that is held no more has none.
        assertThat(series()).hasSize(base + reasons.size());
        assertThat(reasons).hasSizeLessThanOrEqualTo(Reason.values().length);
    }
}
