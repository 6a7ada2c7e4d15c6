package io.osmhub.api.inventory;

import io.osmhub.tenancy.TenantDirectory;
import java.time.Instant;

/** A process that only reads: it serves no tenant, so what only the serving replica knows is not known to it. */
public record Onlooker(String name, String sharedProfileNamespace) implements Replica {
    @Override
    public TenantDirectory tenants() {
        return TenantDirectory.ofNobody();
    }

    @Override
    public boolean offersProfiles(String namespace) {
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
