package io.osmhub.api.ops;

import io.osmhub.api.access.ReviewMetrics;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import java.util.List;

/**
 * Creates series with few, known labels at startup with 0, so that alerts see the first failure as an increase from 0 to 1. Series of
 * requests and problem reasons are created on first use.
 */
final class InitialSeries {
    private final Meters meters;

    InitialSeries(Meters meters) {
        this.meters = meters;
    }

    void register() {
        for (String name : List.of(
                "osm_hub_writes_avoided",
                "osm_hub_unexpected_renderings",
                "osm_hub_cleanup_incomplete",
                "osm_hub_fenced_writes")) {
            meters.counter(name);
        }
        connections();
        runs();
        rendering();
        callers();
        for (TenantSharding.MembershipChange change : TenantSharding.MembershipChange.values()) {
            meters.counter("osm_hub_handovers", "cause", FleetMetrics.word(change));
        }
    }

    private void connections() {
        for (String cause : List.of("closed", "ping", "goaway", "credentials")) {
            meters.counter("osm_hub_reconnects", "cause", cause);
        }
        for (String result : List.of("ok", "unreachable")) {
            meters.timer("osm_hub_connect", Meters.LONG, "result", result);
        }
        for (String cluster : List.of("worker", "management")) {
            meters.timer("osm_hub_write_budget_wait", Meters.LONG, "cluster", cluster);
        }
    }

    private void runs() {
        for (Result result : Result.values()) {
            meters.counter("osm_hub_reconciles", "result", result.wireName());
        }
        for (String step : List.of("look", "decide", "write")) {
            meters.timer("osm_hub_reconcile", Meters.LONG, "step", step);
        }
        for (Trigger trigger : Trigger.values()) {
            meters.timer("osm_hub_publish", Meters.LONG, "trigger", trigger.wireName());
            if (trigger != Trigger.CREATED) {
                meters.counter("osm_hub_rotations", "because", trigger.wireName());
            }
        }
        for (Actor actor : List.of(Actor.OPERATOR, Actor.HUB)) {
            meters.counter("osm_hub_retries", "actor", actor.wireName());
        }
        for (String kind : List.of("osc", "secret", "token")) {
            meters.counter("osm_hub_drift_repaired", "kind", kind);
        }
        for (String result : List.of("ok", "failed")) {
            meters.counter("osm_hub_credential_renewals", "result", result);
            for (String kind : List.of("extended", "replaced", "fetch")) {
                meters.counter("osm_hub_bootstrap_token_writes", "kind", kind, "result", result);
            }
        }
    }

    private void rendering() {
        for (TemplateLanguage language : TemplateLanguage.values()) {
            meters.timer("osm_hub_render", Meters.SHORT, "engine", language.wireName());
            meters.timer("osm_hub_profile_compile", Meters.SHORT, "engine", language.wireName());
        }
        for (String part : List.of("bootstrap", "provisioning")) {
            meters.sizes("osm_hub_user_data_bytes", HubMetrics.BYTES, "part", part);
        }
    }

    private void callers() {
        for (String webhook : List.of(
                "machinedeployments",
                "operatingsystemprofiles",
                "operatingsystemprofileextensions",
                "operatingsystemconfigs",
                "workerclusters")) {
            meters.timer("osm_hub_admission", Meters.LONG, "webhook", webhook);
            for (String allowed : List.of("true", "false", "error")) {
                meters.counter("osm_hub_admission_requests", "webhook", webhook, "allowed", allowed);
            }
        }
        for (HttpObserver.LimitKind limit : HttpObserver.LimitKind.values()) {
            meters.counter("osm_hub_http_limited", "limit", FleetMetrics.word(limit));
        }
        for (ReviewMetrics.Kind kind : ReviewMetrics.Kind.values()) {
            for (ReviewMetrics.Result result : ReviewMetrics.Result.values()) {
                for (String cache : List.of("hit", "miss")) {
                    meters.counter(
                            "osm_hub_auth_reviews",
                            "kind",
                            FleetMetrics.word(kind),
                            "result",
                            FleetMetrics.word(result),
                            "cache",
                            cache);
                }
            }
        }
    }
}
