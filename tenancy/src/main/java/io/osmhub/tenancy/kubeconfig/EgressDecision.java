package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.ProblemFinding;
import java.net.InetAddress;

/** Decision of the egress policy on a resolved server. */
public sealed interface EgressDecision {
    /** Connect to this address only: resolving the name again could return another one. */
    record Allowed(InetAddress pinned) implements EgressDecision {}

    /** All addresses are forbidden; reason {@code EndpointRefused}. */
    record Refused(ProblemFinding finding, String address, AddressClass addressClass) implements EgressDecision {}
}
