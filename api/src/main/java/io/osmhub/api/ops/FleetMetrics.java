package io.osmhub.api.ops;

import io.osmhub.api.ops.Meters.GaugeSeries;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.TenantView;
import io.osmhub.workersync.SyncStatus;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Metrics of all tenants at one point in time; every label value has a series, even if 0. */
final class FleetMetrics {
    /** Upper bounds of the credential expiry buckets; each includes the shorter ones. */
    private static final Map<String, Duration> WITHIN =
            Map.of("1d", Duration.ofDays(1), "7d", Duration.ofDays(7), "14d", Duration.ofDays(14));

    private static final Duration LEAST_VALIDITY = Duration.ofMinutes(20);
    private static final Duration USUAL_VALIDITY = Duration.ofMinutes(60);

    private final Instant now;
    private final Map<String, Integer> states = zeros(State.values());
    private final Map<String, Integer> newNodes = zeros(NewNodes.values());
    private final Map<String, Integer> cached;
    private final Map<String, Integer> credentials = zeros("1d", "7d", "14d", "ended");
    private final Map<String, Integer> tokens = zeros("ended", "lt20m", "lt60m", "ge60m");
    private final Map<ProblemSeries, Integer> problems = new HashMap<>();
    private @Nullable Instant firstEnd;

    /** @param actor depends on the object, for example on whose profile it is */
    record ProblemSeries(Reason reason, Actor actor) {}

    FleetMetrics(HubMetrics.FleetSnapshot fleet) {
        now = fleet.now();
        cached = new TreeMap<>(fleet.cached());
        fleet.problems().forEach(this::count);
        fleet.tenants().forEach(this::add);
    }

    static Map<String, Integer> zeros(Enum<?>... values) {
        return zeros(Arrays.stream(values).map(FleetMetrics::word).toArray(String[]::new));
    }

    private static Map<String, Integer> zeros(String... words) {
        Map<String, Integer> zeros = new LinkedHashMap<>();
        for (String word : words) {
            zeros.put(word, 0);
        }
        return zeros;
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void add(TenantView tenant) {
        State state = tenant.status().state();
        states.merge(word(state == null ? State.CONNECTING : state), 1, Integer::sum);
        Problem.Scope scope = new Problem.Scope(tenant.namespace(), tenant.name());
        tenant.problems().stream()
                .filter(problem -> Reason.of(problem.reason()).isPresent())
                .forEach(problem -> count(problem.toProblem(scope)));
        Instant end = credentialsEnd(tenant);
        if (end != null && !end.isAfter(now)) {
            credentials.merge("ended", 1, Integer::sum);
        } else if (end != null) {
            WITHIN.forEach((within, duration) -> {
                if (!end.isAfter(now.plus(duration))) {
                    credentials.merge(within, 1, Integer::sum);
                }
            });
        }
        SyncStatus sync = tenant.sync();
        if (sync != null) {
            sync.newNodes().forEach((kind, number) -> newNodes.merge(word(kind), number, Integer::sum));
            sync.cached().forEach((resource, number) -> cached.merge(resource.plural(), number, Integer::sum));
            for (Decision.TokenInUse token : tokensInUse(sync)) {
                tokens.merge(formatRemaining(token), 1, Integer::sum);
                firstEnd = earlier(firstEnd, token.expiration());
            }
        }
    }

    private void count(Problem problem) {
        problems.merge(new ProblemSeries(problem.reason(), problem.actor()), 1, Integer::sum);
    }

    /** Null if no expiry is known. */
    static @Nullable Instant credentialsEnd(TenantView tenant) {
        String text = tenant.status().credentialsExpireAt();
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Tokens with which nodes would join; a MachineDeployment blocked for another reason needs none. */
    static List<Decision.TokenInUse> tokensInUse(SyncStatus sync) {
        List<Decision.TokenInUse> tokens = new ArrayList<>();
        sync.machineDeployments().forEach(state -> {
            Decision.TokenInUse token = state.token();
            boolean blockedOtherwise = state.newNodes() == NewNodes.BLOCKED
                    && state.problems().stream()
                            .noneMatch(problem -> problem.reason().category() == Category.TOKEN);
            if (token != null && !blockedOtherwise) {
                tokens.add(token);
            }
        });
        return tokens;
    }

    static Instant earlier(@Nullable Instant one, Instant other) {
        return one == null || other.isBefore(one) ? other : one;
    }

    private String formatRemaining(Decision.TokenInUse token) {
        Duration left = Duration.between(now, token.expiration());
        if (!left.isPositive()) {
            return "ended";
        }
        if (left.compareTo(LEAST_VALIDITY) < 0) {
            return "lt20m";
        }
        return left.compareTo(USUAL_VALIDITY) < 0 ? "lt60m" : "ge60m";
    }

    Map<ProblemSeries, Integer> problems() {
        return problems;
    }

    void publish(Meters meters) {
        meters.setSeries("osm_hub_worker_clusters", "state", states);
        meters.setSeries("osm_hub_machine_deployments", "new_nodes", newNodes);
        meters.setSeries("osm_hub_cached_objects", "resource", cached);
        meters.setSeries("osm_hub_credentials_expiring", "within", credentials);
        meters.setSeries("osm_hub_bootstrap_tokens", "left", tokens);
        double validity =
                firstEnd == null ? Double.NaN : Duration.between(now, firstEnd).toMillis() / 1_000.0;
        meters.setSeries("osm_hub_bootstrap_token_min_validity_seconds", List.of(GaugeSeries.of(validity)));
    }
}
