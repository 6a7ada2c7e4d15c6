package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says which address of a worker cluster's API server may be connected to, so that a kubeconfig cannot send the hub to its own
 * host, its cloud's metadata service or the management cluster. Immutable; asks no name service.
 */
public final class EgressPolicy {
    /** Where a kubeconfig names the server. */
    static final String SERVER = "clusters[0].cluster.server";

    private final KubeconfigRules rules;
    private final Set<Endpoint> managementApi;
    private final Set<IpAddress> own;

    private record Endpoint(IpAddress address, int port) {}

    /** An address, and why it is refused. */
    private record Verdict(InetAddress address, @Nullable AddressClass refused) {}

    /**
     * @param managementApi resolved addresses and ports of the management cluster's API server, every way that the hub's host
     *     can reach it; unresolved ones are no addresses and are ignored
     * @param own addresses of this process's host or pod and of the hub's Services
     */
    public EgressPolicy(KubeconfigRules rules, Set<InetSocketAddress> managementApi, Set<InetAddress> own) {
        this.rules = rules;
        this.managementApi = managementApi.stream()
                .filter(endpoint -> !endpoint.isUnresolved())
                .map(endpoint -> new Endpoint(Addresses.of(endpoint.getAddress()), endpoint.getPort()))
                .collect(Collectors.toUnmodifiableSet());
        this.own = own.stream().map(Addresses::of).collect(Collectors.toUnmodifiableSet());
    }

    KubeconfigRules rules() {
        return rules;
    }

    /**
     * Chooses the address to connect to. A name of which one address is refused is refused as a whole: who can add such an
     * address is not to be trusted with the others. Only {@code allowCIDRs} picks from a name's addresses.
     *
     * @param secret namespace and name of the Secret with the kubeconfig, for the finding
     * @param host the server's, for the finding
     * @param resolved what the name service answered, at least one address
     */
    public Egress check(String secret, String host, int port, List<InetAddress> resolved) {
        if (resolved.isEmpty()) {
            throw new IllegalArgumentException("no address of " + host);
        }
        List<Verdict> verdicts = new ArrayList<>(resolved.size());
        for (InetAddress address : resolved) {
            AddressClass refused = refused(Addresses.of(address), port);
            if (refused != null && refused != AddressClass.NOT_LISTED) {
                return refuse(secret, host, address, refused);
            }
            verdicts.add(new Verdict(address, refused));
        }
        for (Verdict verdict : verdicts) {
            if (verdict.refused() == null) {
                return new Egress.Allowed(verdict.address());
            }
        }
        return refuse(secret, host, resolved.getFirst(), AddressClass.NOT_LISTED);
    }

    private @Nullable AddressClass refused(IpAddress address, int port) {
        for (IpAddress one : Addresses.withEmbedded(address)) {
            AddressClass refused = refusedAlone(one, port);
            if (refused != null) {
                return refused;
            }
        }
        return rules.allowCidrs().isEmpty()
                        || rules.allowCidrs().stream().anyMatch(network -> network.contains(address))
                ? null
                : AddressClass.NOT_LISTED;
    }

    private @Nullable AddressClass refusedAlone(IpAddress address, int port) {
        AddressClass kind = Addresses.classOf(address);
        if (kind != null && !allowed(kind)) {
            return kind;
        }
        if (managementApi.contains(new Endpoint(address, port)) && !allowed(AddressClass.MANAGEMENT_CLUSTER)) {
            return AddressClass.MANAGEMENT_CLUSTER;
        }
        if (own.contains(address) && !allowed(AddressClass.OWN)) {
            return AddressClass.OWN;
        }
        for (IpNetwork network : rules.denyCidrs()) {
            if (network.contains(address) && !liftedByAllowance(network)) {
                return AddressClass.DENIED;
            }
        }
        return null;
    }

    private boolean allowed(AddressClass kind) {
        Allowance allowance = kind.allowance();
        return allowance != null && rules.allows(allowance);
    }

    /** The list denies whole classes by default; allowing the class is enough. A narrower network stays denied. */
    private boolean liftedByAllowance(IpNetwork network) {
        return (rules.allows(Allowance.LOOPBACK) && Addresses.LOOPBACK.contains(network))
                || (rules.allows(Allowance.LINK_LOCAL) && Addresses.LINK_LOCAL.contains(network));
    }

    private static Egress refuse(String secret, String host, InetAddress address, AddressClass kind) {
        String text = Addresses.of(address).toString();
        return new Egress.Refused(
                new Finding(
                        Reason.EndpointRefused.word(),
                        "Secret " + secret,
                        SERVER,
                        host + " is " + text + ", a " + kind.word() + " address",
                        "use a reachable one, or allow it in kubeconfigPolicy"),
                text,
                kind);
    }
}
