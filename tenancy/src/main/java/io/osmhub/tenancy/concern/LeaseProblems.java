package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.lease.Shares;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Replicas whose Lease was not renewed in time: this one, which says so itself, and others, for whom those say it who live. */
final class LeaseProblems {
    /** Shorter ones come and go without anybody losing a tenant. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** One that begins may have to wait for what an earlier one of its name left. */
    private static final Duration BEGINNING = Duration.ofSeconds(30);
    /** A replica that did not come back until then is not waited for. */
    static final Duration FORGOTTEN = Duration.ofMinutes(15);

    private final Shares shares;
    private final Supplier<? extends Collection<String>> tenants;
    private boolean held;
    private int served;

    /** @param tenants namespaces of all tenants */
    LeaseProblems(Shares shares, Supplier<? extends Collection<String>> tenants) {
        this.shares = shares;
        this.tenants = tenants;
    }

    Optional<HubProblem> own(Instant now) {
        if (shares.mayWrite()) {
            held = true;
            return Optional.empty();
        }
        Duration age = shares.leaseAge();
        if (age.compareTo(held ? PATIENCE : BEGINNING) < 0) {
            return Optional.empty();
        }
        String failure = shares.lastFailure();
        return Optional.of(
                problem(shares.lease(), age, failure.isEmpty() ? "somebody else holds it" : failure, served, now));
    }

    /** Counts what is this replica's, which it cannot know any more once it has lost its Lease. */
    void count() {
        if (shares.mayWrite()) {
            served = (int) tenants.get().stream().filter(shares::serves).count();
        }
    }

    Optional<HubProblem> of(Shares.Other other, Instant now) {
        if (other.isLive() || other.silent().compareTo(FORGOTTEN) >= 0) {
            return Optional.empty();
        }
        return Optional.of(problem(
                other.lease(),
                other.silent(),
                "it ended without letting go, or cannot reach the management cluster",
                shares.shareOf(other.lease(), tenants.get()),
                now));
    }

    private static HubProblem problem(String lease, Duration age, String cause, int tenants, Instant now) {
        return new HubProblem(
                lease,
                Reason.LeaseLost,
                Message.of(
                        Reason.LeaseLost,
                        Map.of(
                                "lease",
                                lease,
                                "duration",
                                age.toSeconds() + " s",
                                "cause",
                                cause,
                                "n",
                                Integer.toString(tenants))),
                now);
    }
}
