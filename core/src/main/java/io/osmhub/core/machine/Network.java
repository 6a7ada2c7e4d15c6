package io.osmhub.core.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code network} of a provider config.
 *
 * @param dnsServers null when none are given, which templates that print it can tell from an empty list
 * @param ipFamily not checked: empty, {@code IPv4}, {@code IPv6}, {@code IPv4+IPv6}, {@code IPv6+IPv4}
 */
public record Network(String cidr, String gateway, @Nullable List<String> dnsServers, String ipFamily) {
    public Network {
        dnsServers = dnsServers == null ? null : List.copyOf(dnsServers);
    }

    /** Whether machines get fixed addresses, which only flatcar can do. */
    public boolean isStatic() {
        return !cidr.isEmpty() || !gateway.isEmpty() || (dnsServers != null && !dnsServers.isEmpty());
    }
}
