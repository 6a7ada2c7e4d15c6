package io.osmhub.tenancy.lease;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.ObjectHead;
import java.time.Duration;

/**
 * What is remembered of a replica's Lease.
 *
 * @param holder empty when the replica let it go
 * @param renewal changes with each renewal
 * @param view members that the replica acts on, as it says
 * @param problems what it says is wrong with itself, as {@link Shares#say} took it
 * @param podUid empty when it is not known
 */
record MemberLease(
        String name, String holder, Duration duration, String renewal, String view, String problems, String podUid) {
    /** Annotation with the members that a replica acts on. */
    static final String VIEW = "osmhub.io/member-view";

    /** Annotation with what a replica says is wrong with itself. */
    static final String PROBLEMS = "osmhub.io/member-problems";

    static MemberLease of(JsonNode object) {
        ObjectHead head = ObjectHead.of(object);
        LeaseSpec spec = LeaseSpec.of(object);
        return new MemberLease(
                head.name(),
                spec.holder(),
                spec.duration(),
                spec.renewTime() + " " + head.resourceVersion(),
                head.annotations().getOrDefault(VIEW, ""),
                head.annotations().getOrDefault(PROBLEMS, ""),
                head.owners().stream()
                        .filter(owner -> owner.kind().equals("Pod"))
                        .map(ObjectHead.Owner::uid)
                        .findFirst()
                        .orElse(""));
    }
}
