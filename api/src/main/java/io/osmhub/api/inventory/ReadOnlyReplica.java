package io.osmhub.api.inventory;

import io.osmhub.tenancy.TenantDirectory;
import java.time.Instant;

/** A process that only reads. It serves no tenant, so live details are missing. */
public record ReadOnlyReplica(String name, String sharedProfileNamespace) implements LocalReplica {
    @Override
    public TenantDirectory tenants() {
        return TenantDirectory.empty();
    }

    @Override
    public boolean sharesProfiles(String namespace) {
        return false;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public String version() {
        return "";
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
