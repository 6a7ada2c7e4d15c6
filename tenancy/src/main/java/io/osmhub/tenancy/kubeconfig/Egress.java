package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.Finding;
import java.net.InetAddress;

/** What the egress policy says of a resolved server. */
public sealed interface Egress {
    /** It may be connected to, at this address only: resolving the name again could give another one. */
    record Allowed(InetAddress pinned) implements Egress {}

    /** No address of it may be connected to; reason {@code EndpointRefused}. */
    record Refused(Finding finding, String address, AddressClass addressClass) implements Egress {}
}
