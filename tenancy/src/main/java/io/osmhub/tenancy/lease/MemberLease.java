package io.osmhub.tenancy.lease;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.ObjectMetadata;
import java.time.Duration;

/**
 * What is cached of a replica's Lease.
 *
 * @param holder empty if released
 * @param renewal changes with each renewal
 * @param view members that the replica acts on
 * @param problems of the replica, as passed to {@link TenantSharding#publishProblems}
 * @param podUid empty if unknown
 */
record MemberLease(
        String name, String holder, Duration duration, String renewal, String view, String problems, String podUid) {
    /** Annotation with the members that a replica acts on. */
    static final String VIEW = "osmhub.io/member-view";

    /** Annotation with a replica's problems. */
    static final String PROBLEMS = "osmhub.io/member-problems";

    static MemberLease of(JsonNode object) {
        ObjectMetadata head = ObjectMetadata.of(object);
        LeaseRecord spec = LeaseRecord.of(object);
        return new MemberLease(
                head.name(),
                spec.holder(),
                spec.duration(),
                spec.renewTime() + " " + head.resourceVersion(),
                head.annotations().getOrDefault(VIEW, ""),
                head.annotations().getOrDefault(PROBLEMS, ""),
                head.owners().stream()
                        .filter(owner -> owner.kind().equals("Pod"))
                        .map(ObjectMetadata.OwnerReference::uid)
                        .findFirst()
                        .orElse(""));
    }
}
