package io.osmhub.api.ops;

import io.osmhub.api.ops.Meters.GaugeSeries;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.TenantView;
import io.osmhub.workersync.SyncStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Optional series with a tenant label: up to a limit, by tenant name, removed with the tenant. */
final class TenantMetrics {
    private static final String UP = "osm_hub_tenant_up";
    private static final String MACHINE_DEPLOYMENTS = "osm_hub_tenant_machine_deployments";
    private static final String PROBLEMS = "osm_hub_tenant_problems";
    private static final String TOKENS = "osm_hub_tenant_token_min_validity_seconds";
    private static final String CREDENTIALS = "osm_hub_tenant_credentials_expiry_timestamp_seconds";
    private static final Set<State> CONNECTED = Set.of(State.SYNCED, State.DEGRADED);

    private final Meters meters;
    private boolean shown;

    TenantMetrics(Meters meters) {
        this.meters = meters;
    }

    /** @param most maximum series of all tenants together; 0 for none */
    void publish(List<TenantView> tenants, int most, Instant now) {
        if (most == 0 && !shown) {
            return;
        }
        shown = most > 0;
        Map<String, List<GaugeSeries>> all = new LinkedHashMap<>();
        for (String name : List.of(UP, MACHINE_DEPLOYMENTS, PROBLEMS, TOKENS, CREDENTIALS)) {
            all.put(name, new ArrayList<>());
        }
        int left = most;
        int leftOut = 0;
        for (TenantView tenant : tenants) {
            Map<String, List<GaugeSeries>> own = rows(tenant, now);
            int number = own.values().stream().mapToInt(List::size).sum();
            if (number > left) {
                left = 0;
                leftOut++;
                continue;
            }
            left -= number;
            own.forEach(
                    (name, rows) -> all.getOrDefault(name, new ArrayList<>()).addAll(rows));
        }
        all.forEach(meters::setSeries);
        meters.setSeries("osm_hub_tenants_without_series", most == 0 ? List.of() : List.of(GaugeSeries.of(leftOut)));
    }

    private static Map<String, List<GaugeSeries>> rows(TenantView tenant, Instant now) {
        List<String> name = List.of("namespace", tenant.namespace(), "worker_cluster", tenant.name());
        Map<String, List<GaugeSeries>> rows = new LinkedHashMap<>();
        State state = tenant.status().state();
        rows.put(UP, List.of(new GaugeSeries(name, state != null && CONNECTED.contains(state) ? 1 : 0)));
        List<GaugeSeries> problems = new ArrayList<>();
        for (ProblemSeverity severity : ProblemSeverity.values()) {
            long number = tenant.problems().stream()
                    .map(OpenProblem::severity)
                    .filter(severity::equals)
                    .count();
            problems.add(new GaugeSeries(with(name, "severity", FleetMetrics.word(severity)), number));
        }
        rows.put(PROBLEMS, problems);
        SyncStatus sync = tenant.sync();
        if (sync != null) {
            List<GaugeSeries> kinds = new ArrayList<>();
            Map<NewNodes, Integer> counts = sync.newNodes();
            counts.forEach((kind, number) ->
                    kinds.add(new GaugeSeries(with(name, "new_nodes", FleetMetrics.word(kind)), number)));
            rows.put(MACHINE_DEPLOYMENTS, kinds);
            Instant first = null;
            for (Decision.TokenInUse token : FleetMetrics.tokensInUse(sync)) {
                first = FleetMetrics.earlier(first, token.expiration());
            }
            if (first != null) {
                double seconds = Duration.between(now, first).toMillis() / 1_000.0;
                rows.put(TOKENS, List.of(new GaugeSeries(name, seconds)));
            }
        }
        Instant end = FleetMetrics.credentialsEnd(tenant);
        if (end != null) {
            rows.put(CREDENTIALS, List.of(new GaugeSeries(name, end.getEpochSecond())));
        }
        return rows;
    }

    private static List<String> with(List<String> labels, String label, String value) {
        List<String> more = new ArrayList<>(labels);
        more.add(label);
        more.add(value);
        return more;
    }
}
