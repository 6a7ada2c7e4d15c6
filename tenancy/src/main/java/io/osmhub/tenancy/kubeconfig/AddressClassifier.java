package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Classifies addresses, including embedded ones. Does not use DNS. */
final class AddressClassifier {
    static final Set<IpNetwork> LOOPBACK = networks("127.0.0.0/8", "::1/128");
    static final Set<IpNetwork> LINK_LOCAL = networks("169.254.0.0/16", "fe80::/10");

    private static final Set<IpNetwork> METADATA = networks(
            "169.254.169.254/32", // most clouds
            "169.254.170.2/32", // AWS: credentials of a container task
            "169.254.170.23/32", // AWS: credentials of a pod
            "fd00:ec2::254/128", // AWS
            "fd00:ec2::23/128", // AWS: credentials of a pod
            "fd20:ce::254/128", // Google
            "168.63.129.16/32", // Azure
            "100.100.100.200/32", // Alibaba
            "192.0.0.192/32", // Oracle
            "169.254.42.42/32", // Scaleway
            "fd00:42::42/128" // Scaleway
            );
    // On Linux 0.0.0.0 is the host itself.
    private static final Set<IpNetwork> UNUSABLE =
            networks("0.0.0.0/8", "::/128", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8");

    private static final IpNetwork COMPATIBLE = IpNetwork.of("::/96");
    private static final IpNetwork TRANSLATED = IpNetwork.of("::ffff:0:0:0/96");
    private static final IpNetwork NAT64 = IpNetwork.of("64:ff9b::/96");
    private static final IpNetwork LOCAL_NAT64 = IpNetwork.of("64:ff9b:1::/48");
    private static final IpNetwork SIX_TO_FOUR = IpNetwork.of("2002::/16");
    private static final IpNetwork TEREDO = IpNetwork.of("2001::/32");

    private AddressClassifier() {}

    private static Set<IpNetwork> networks(String... texts) {
        return Stream.of(texts).map(IpNetwork::of).collect(Collectors.toUnmodifiableSet());
    }

    /** The address, if the host is one and not a name. */
    static Optional<InetAddress> literal(String host) {
        IpAddress address = IpAddress.parse(host);
        return address == null ? Optional.empty() : Optional.of(address.address());
    }

    /** Null for an ordinary address. */
    static @Nullable AddressClass classOf(IpAddress address) {
        return in(METADATA, address)
                ? AddressClass.METADATA
                : in(LOOPBACK, address)
                        ? AddressClass.LOOPBACK
                        : in(LINK_LOCAL, address)
                                ? AddressClass.LINK_LOCAL
                                : in(UNUSABLE, address) ? AddressClass.UNUSABLE : null;
    }

    private static boolean in(Set<IpNetwork> networks, IpAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    /** The address, and the IPv4 addresses that a translator or a tunnel could extract from it. */
    static List<IpAddress> withEmbedded(IpAddress address) {
        List<IpAddress> all = new ArrayList<>();
        all.add(address);
        List<Integer> groups = address.groups();
        int high = groups.get(6);
        int low = groups.get(7);
        boolean isatap = (groups.get(4) & ~0x0200) == 0 && groups.get(5) == 0x5efe;
        boolean compatible = COMPATIBLE.contains(address) && (high != 0 || low > 1);
        if (compatible || isatap || TRANSLATED.contains(address) || NAT64.contains(address)) {
            all.add(v4(high, low));
        }
        if (LOCAL_NAT64.contains(address)) {
            // The network may be used as a /48 prefix, or be divided into /64 or /96 prefixes (RFC 6052).
            all.add(v4(high, low));
            all.add(v4(groups.get(3), (groups.get(4) & 0xff) << 8 | groups.get(5) >> 8));
            all.add(v4((groups.get(4) & 0xff) << 8 | groups.get(5) >> 8, (groups.get(5) & 0xff) << 8 | high >> 8));
        }
        if (SIX_TO_FOUR.contains(address)) {
            all.add(v4(groups.get(1), groups.get(2)));
        }
        if (TEREDO.contains(address)) {
            all.add(v4(groups.get(2), groups.get(3)));
            all.add(v4(high ^ 0xffff, low ^ 0xffff));
        }
        return all;
    }

    private static IpAddress v4(int high, int low) {
        return IpAddress.ofGroups(List.of(0, 0, 0, 0, 0, 0xffff, high, low));
    }

    /** Why an address is forbidden. */
    public enum AddressClass {
        LOOPBACK("loopback", Allowance.LOOPBACK),
        /** An address of this process's host or pod, or of one of the hub's Services. */
        OWN("hub", Allowance.LOOPBACK),
        LINK_LOCAL("link-local", Allowance.LINK_LOCAL),
        /** Instance metadata and other link-local services of clouds. */
        METADATA("metadata", null),
        MANAGEMENT_CLUSTER("management cluster", Allowance.MANAGEMENT_CLUSTER),
        /** Unspecified, multicast, broadcast and reserved: no API server has such an address. */
        UNUSABLE("non-unicast", null),
        /** In {@code denyCIDRs}. */
        DENIED("denied", null),
        /** Not in {@code allowCIDRs}. */
        NOT_LISTED("disallowed", null);

        private final String wireName;
        private final @Nullable Allowance allowance;

        AddressClass(String word, @Nullable Allowance allowance) {
            this.wireName = word;
            this.allowance = allowance;
        }

        /** For messages. */
        public String wireName() {
            return wireName;
        }

        /** Value of {@code allow} that permits it; null if none does. */
        public @Nullable Allowance allowance() {
            return allowance;
        }
    }
}
