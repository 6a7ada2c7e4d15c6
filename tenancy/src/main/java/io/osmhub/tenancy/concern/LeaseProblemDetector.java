package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.lease.TenantSharding;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/** Detects replicas whose Lease was not renewed in time: this one, and others, reported by live ones. */
final class LeaseProblemDetector {
    /** Shorter gaps are normal and move no tenant. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** A starting replica may have to wait for the Lease of a predecessor of the same name. */
    private static final Duration BEGINNING = Duration.ofSeconds(30);
    /** A replica that stays away for this long is ignored. */
    static final Duration FORGOTTEN = Duration.ofMinutes(15);

    private final TenantSharding shares;
    private final Supplier<? extends Collection<String>> tenants;
    private boolean held;
    private int served;

    /** @param tenants namespaces of all tenants */
    LeaseProblemDetector(TenantSharding shares, Supplier<? extends Collection<String>> tenants) {
        this.shares = shares;
        this.tenants = tenants;
    }

    Optional<HubProblem> own(Instant now) {
        if (shares.canWrite()) {
            held = true;
            return Optional.empty();
        }
        Duration age = shares.leaseAge();
        if (age.compareTo(held ? PATIENCE : BEGINNING) < 0) {
            return Optional.empty();
        }
        String failure = shares.lastFailure();
        return Optional.of(
                problem(shares.lease(), age, failure.isEmpty() ? "another process holds it" : failure, served, now));
    }

    /** Counts this replica's tenants now, because it cannot once it has lost its Lease. */
    void count() {
        if (shares.canWrite()) {
            served = (int) tenants.get().stream().filter(shares::serves).count();
        }
    }

    Optional<HubProblem> of(TenantSharding.OtherReplica other, Instant now) {
        if (other.isLive() || other.silent().compareTo(FORGOTTEN) >= 0) {
            return Optional.empty();
        }
        return Optional.of(problem(
                other.lease(),
                other.silent(),
                "it stopped without releasing its Lease, or cannot reach the management cluster",
                shares.countTenants(other.lease(), tenants.get()),
                now));
    }

    private static HubProblem problem(String lease, Duration age, String cause, int tenants, Instant now) {
        return new HubProblem(
                lease,
                Reason.LeaseLost,
                Reason.LeaseLost.with(
                                "lease",
                                lease,
                                "duration",
                                age.toSeconds() + " s",
                                "cause",
                                cause,
                                "n",
                                Integer.toString(tenants))
                        .message(),
                now);
    }
}
