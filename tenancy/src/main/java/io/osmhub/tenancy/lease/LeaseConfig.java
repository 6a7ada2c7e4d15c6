package io.osmhub.tenancy.lease;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a Lease and its timing.
 *
 * @param namespace empty if unknown, in which case there is no Lease
 * @param holder unique identity of this process
 * @param duration after this time without renewal others may acquire it
 * @param renewInterval time between renewals, and between checks of a Lease that another process holds
 * @param labels set at creation and at each renewal
 * @param annotations set at each renewal
 * @param pod owner of the Lease, for garbage collection; null if unknown
 */
public record LeaseConfig(
        String namespace,
        String name,
        String holder,
        Duration duration,
        Duration renewInterval,
        Map<String, String> labels,
        Map<String, String> annotations,
        @Nullable OwnerPod pod) {
    /** A pod in the Lease's namespace. */
    public record OwnerPod(String name, String uid) {}

    /** Name prefix of member Leases, followed by the replica's name. */
    static final String MEMBER = "osm-hub-member-";

    /** Annotation with the {@link ProcessMark} of a replica. */
    private static final String PROCESS = "osmhub.io/member-process";

    public LeaseConfig {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        if (duration.compareTo(renewInterval.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException(
                    "expected a duration of at least twice the renew interval: " + duration + ", " + renewInterval);
        }
    }

    /** Usual defaults of controllers: 15 s, renewed every 5 s. */
    public static LeaseConfig ofDefaults(String namespace, String name, String holder) {
        return new LeaseConfig(
                namespace, name, holder, Duration.ofSeconds(15), Duration.ofSeconds(5), Map.of(), Map.of(), null);
    }

    /**
     * The Lease of one replica.
     *
     * @param podUid UID of the replica's pod; empty outside of pods
     */
    public static LeaseConfig ofMember(String namespace, String replica, String holder, String podUid) {
        LeaseConfig usual = ofDefaults(namespace, MEMBER + replica, holder);
        return new LeaseConfig(
                namespace,
                usual.name(),
                holder,
                usual.duration(),
                usual.renewInterval(),
                Map.of("osmhub.io/member", "true"),
                Map.of(PROCESS, ProcessMark.current()),
                podUid.isEmpty() ? null : new OwnerPod(replica, podUid));
    }

    /** @param each renew interval, at most half of the duration */
    public LeaseConfig withTimes(Duration other, Duration each) {
        return new LeaseConfig(namespace, name, holder, other, each, labels, annotations, pod);
    }

    /**
     * Whether this process may take a Lease from its holder at once: the holder was an earlier process of this pod, and has
     * certainly ended. The kernel frees its connections, so that it sends nothing more.
     *
     * @param lease as read
     */
    boolean isSuccessor(Lease lease) {
        ObjectMeta metadata = lease.getMetadata();
        return pod != null
                && metadata.getOwnerReferences().stream()
                        .anyMatch(owner -> pod.uid().equals(owner.getUid()))
                && ProcessMark.hasEnded(
                        Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of())
                                .getOrDefault(PROCESS, ""),
                        annotations.getOrDefault(PROCESS, ""));
    }

    LeaseConfig with(Map<String, String> others) {
        return new LeaseConfig(namespace, name, holder, duration, renewInterval, labels, others, pod);
    }

    /** Writes stop this long after the last renewal: well before others may acquire the Lease. */
    Duration writeDeadline() {
        return duration.multipliedBy(2).dividedBy(3);
    }
}
