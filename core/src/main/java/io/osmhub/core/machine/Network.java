package io.osmhub.core.machine;

import java.util.List;

/** {@code network} of a provider config. {@code ipFamily} is not checked: empty, {@code IPv4}, {@code IPv6}, {@code IPv4+IPv6}, {@code IPv6+IPv4}. */
public record Network(String cidr, String gateway, List<String> dnsServers, String ipFamily) {
    public Network {
        dnsServers = List.copyOf(dnsServers);
    }

    /** Whether machines get fixed addresses, which only flatcar can do. */
    public boolean isStatic() {
        return !cidr.isEmpty() || !gateway.isEmpty() || !dnsServers.isEmpty();
    }
}
