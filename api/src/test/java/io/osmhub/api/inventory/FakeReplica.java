package io.osmhub.api.inventory;

import io.osmhub.tenancy.TenantView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A replica that serves nobody. */
final class FakeReplica implements LocalReplica {
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private List<HubCondition> concerns = List.of();

    void advance(Duration time) {
        now = now.plus(time);
    }

    @Override
    public String name() {
        return "osm-hub-0";
    }

    @Override
    public List<TenantView> tenants() {
        return List.of();
    }

    @Override
    public Optional<TenantView> tenant(String namespace, String name) {
        return Optional.empty();
    }

    @Override
    public String sharedProfileNamespace() {
        return "osm-profiles";
    }

    @Override
    public boolean sharesProfiles(String namespace) {
        return namespace.equals("offering");
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public String version() {
        return "0.1.0";
    }

    void concern(HubCondition... now) {
        concerns = List.of(now);
    }

    @Override
    public List<HubCondition> hubConditions() {
        return concerns;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanoTime() {
        return now.toEpochMilli() * 1_000_000;
    }
}
