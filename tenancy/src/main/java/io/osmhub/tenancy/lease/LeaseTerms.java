package io.osmhub.tenancy.lease;

import java.time.Duration;
import java.util.Map;

/**
 * Which Lease, and how it is kept.
 *
 * @param namespace empty means that nothing is known; a Lease always has one
 * @param holder identity of this process: nobody else uses it
 * @param duration after so long without renewal others may take it
 * @param renewInterval time between two renewals, and between two looks at one that somebody else has
 * @param labels that the Lease is made with
 * @param annotations that each renewal writes
 */
public record LeaseTerms(
        String namespace,
        String name,
        String holder,
        Duration duration,
        Duration renewInterval,
        Map<String, String> labels,
        Map<String, String> annotations) {
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
                namespace, name, holder, Duration.ofSeconds(15), Duration.ofSeconds(5), Map.of(), Map.of());
    }

    /** The Lease of one replica. {@code url}: where other replicas reach it; empty when they do not. */
    public static LeaseTerms ofMember(String namespace, String pod, String holder, String url) {
        LeaseTerms usual = usual(namespace, "osm-hub-member-" + pod, holder);
        return new LeaseTerms(
                namespace,
                usual.name(),
                holder,
                usual.duration(),
                usual.renewInterval(),
                Map.of("osmhub.io/member", "true"),
                url.isEmpty() ? Map.of() : Map.of("osmhub.io/member-url", url));
    }

    /** The same with other annotations. */
    LeaseTerms with(Map<String, String> others) {
        return new LeaseTerms(namespace, name, holder, duration, renewInterval, labels, others);
    }

    /** Nothing is written any more so long after the last renewal: well before others may take the Lease. */
    Duration writesFor() {
        return duration.multipliedBy(2).dividedBy(3);
    }
}
