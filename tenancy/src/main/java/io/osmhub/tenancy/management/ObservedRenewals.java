package io.osmhub.tenancy.management;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When values of Leases were last seen to change. Clocks of machines are not compared: a holder is alive as long as its Lease changes.
 * Thread-safe.
 */
public final class ObservedRenewals {
    private final Map<String, ObservedRenewal> renewals = new ConcurrentHashMap<>();

    /** @param since monotonic time, in nanoseconds */
    private record ObservedRenewal(String value, long since) {}

    /**
     * For how long a Lease has had this value; zero if it is observed for the first time.
     *
     * @param now monotonic time, in nanoseconds
     */
    public Duration unchangedFor(String lease, String value, long now) {
        return Duration.ofNanos(now
                - renewals.compute(
                                lease,
                                (name, before) -> before != null && before.value.equals(value)
                                        ? before
                                        : new ObservedRenewal(value, now))
                        .since);
    }

    public boolean contains(String lease) {
        return renewals.containsKey(lease);
    }

    public void retainAll(Collection<String> leases) {
        renewals.keySet().retainAll(leases);
    }
}
