package io.osmhub.core.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code network} of a provider config.
 *
 * @param dnsServers null if not given, which templates can distinguish from an empty list
 * @param ipFamily not checked: empty, {@code IPv4}, {@code IPv6}, {@code IPv4+IPv6}, {@code IPv6+IPv4}
 */
public record NetworkConfig(
        String cidr, String gateway, @Nullable List<String> dnsServers, String ipFamily) {
    public NetworkConfig {
        dnsServers = dnsServers == null ? null : List.copyOf(dnsServers);
    }

    /** Whether machines get static addresses, which only flatcar supports. */
    public boolean isStatic() {
        return !cidr.isEmpty() || !gateway.isEmpty() || (dnsServers != null && !dnsServers.isEmpty());
    }
}
