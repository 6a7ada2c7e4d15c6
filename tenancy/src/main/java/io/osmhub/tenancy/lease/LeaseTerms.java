package io.osmhub.tenancy.lease;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which Lease, and how it is kept.
 *
 * @param namespace empty means that nothing is known; a Lease always has one
 * @param holder identity of this process: nobody else uses it
 * @param duration after so long without renewal others may take it
 * @param renewInterval time between two renewals, and between two looks at one that somebody else has
 * @param labels that the Lease is made with
 * @param annotations that each renewal writes
 * @param pod that the Lease goes with: once the cluster has forgotten the pod it forgets the Lease; null when nobody knows it
 */
public record LeaseTerms(
        String namespace,
        String name,
        String holder,
        Duration duration,
        Duration renewInterval,
        Map<String, String> labels,
        Map<String, String> annotations,
        @Nullable Pod pod) {
    /** A pod of the Lease's namespace. */
    public record Pod(String name, String uid) {}

    /** What the names of members' Leases begin with; the replica's name follows. */
    static final String MEMBER = "osm-hub-member-";

    public LeaseTerms {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        if (duration.compareTo(renewInterval.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException(
                    "a Lease of " + duration + " is not renewed twice by every " + renewInterval);
        }
    }

    /** As controllers usually do it: 15 s, renewed every 5 s. */
    public static LeaseTerms usual(String namespace, String name, String holder) {
        return new LeaseTerms(
                namespace, name, holder, Duration.ofSeconds(15), Duration.ofSeconds(5), Map.of(), Map.of(), null);
    }

    /**
     * The Lease of one replica.
     *
     * @param url where other replicas reach it; empty when they do not
     * @param podUid UID of the pod of the replica's name; empty outside of pods
     */
    public static LeaseTerms ofMember(String namespace, String replica, String holder, String url, String podUid) {
        LeaseTerms usual = usual(namespace, MEMBER + replica, holder);
        return new LeaseTerms(
                namespace,
                usual.name(),
                holder,
                usual.duration(),
                usual.renewInterval(),
                Map.of("osmhub.io/member", "true"),
                url.isEmpty() ? Map.of() : Map.of("osmhub.io/member-url", url),
                podUid.isEmpty() ? null : new Pod(replica, podUid));
    }

    /**
     * The same with other times.
     *
     * @param each time between two renewals, at most half of the duration
     */
    public LeaseTerms lasting(Duration other, Duration each) {
        return new LeaseTerms(namespace, name, holder, other, each, labels, annotations, pod);
    }

    /** The same with other annotations. */
    LeaseTerms with(Map<String, String> others) {
        return new LeaseTerms(namespace, name, holder, duration, renewInterval, labels, others, pod);
    }

    /** Nothing is written any more so long after the last renewal: well before others may take the Lease. */
    Duration writesFor() {
        return duration.multipliedBy(2).dividedBy(3);
    }
}
