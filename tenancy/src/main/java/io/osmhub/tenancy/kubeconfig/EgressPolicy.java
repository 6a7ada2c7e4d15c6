package io.osmhub.tenancy.kubeconfig;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.kubeconfig.AddressClassifier.AddressClass;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which addresses of a worker cluster's API server may be connected to, so that a kubeconfig cannot direct the hub to its
 * own host, its cloud's metadata service or the management cluster. Immutable; does not use DNS.
 */
public final class EgressPolicy {
    /** Field that names the server. */
    static final String SERVER = "clusters[0].cluster.server";

    private final KubeconfigRules rules;
    private final Set<Endpoint> managementApi;
    private final Set<IpAddress> own;

    private record Endpoint(IpAddress address, int port) {}

    /**
     * @param managementApi resolved addresses and ports of the management cluster's API server, by every route from the hub's
     *     host; unresolved ones are ignored
     * @param own addresses of this process's host or pod and of the hub's Services
     */
    public EgressPolicy(KubeconfigRules rules, Set<InetSocketAddress> managementApi, Set<InetAddress> own) {
        this.rules = rules;
        this.managementApi = managementApi.stream()
                .filter(endpoint -> !endpoint.isUnresolved())
                .map(endpoint -> new Endpoint(new IpAddress(endpoint.getAddress()), endpoint.getPort()))
                .collect(Collectors.toUnmodifiableSet());
        this.own = own.stream().map(IpAddress::new).collect(Collectors.toUnmodifiableSet());
    }

    KubeconfigRules rules() {
        return rules;
    }

    /**
     * Selects the address to connect to. If one address of a name is forbidden, the whole name is: its owner is not to be trusted
     * with the others. Only {@code allowCIDRs} filters a name's addresses.
     *
     * @param secret namespace and name of the Secret with the kubeconfig, for the finding
     * @param host the server's, for the finding
     * @param resolved at least one address
     */
    public EgressDecision check(String secret, String host, int port, List<InetAddress> resolved) {
        if (resolved.isEmpty()) {
            throw new IllegalArgumentException("no address for " + host);
        }
        InetAddress pinned = null;
        for (InetAddress address : resolved) {
            AddressClass refused = refused(new IpAddress(address), port);
            if (refused != null && refused != AddressClass.NOT_LISTED) {
                return refuse(secret, host, address, refused);
            }
            pinned = pinned == null && refused == null ? address : pinned;
        }
        if (pinned != null) {
            return new EgressDecision.Allowed(pinned);
        }
        return refuse(secret, host, resolved.getFirst(), AddressClass.NOT_LISTED);
    }

    private @Nullable AddressClass refused(IpAddress address, int port) {
        for (IpAddress one : AddressClassifier.withEmbedded(address)) {
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
        AddressClass kind = AddressClassifier.classOf(address);
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

    /** The list denies whole classes by default, which allowing the class undoes. A narrower network stays denied. */
    private boolean liftedByAllowance(IpNetwork network) {
        return (rules.allows(Allowance.LOOPBACK) && AddressClassifier.LOOPBACK.contains(network))
                || (rules.allows(Allowance.LINK_LOCAL) && AddressClassifier.LINK_LOCAL.contains(network));
    }

    private static EgressDecision refuse(String secret, String host, InetAddress address, AddressClass kind) {
        String text = new IpAddress(address).toString();
        return new EgressDecision.Refused(
                new Problem(
                        Reason.EndpointRefused,
                        ProblemObject.of("Secret", secret),
                        SERVER,
                        host + " is " + text + ", a " + kind.wireName() + " address",
                        "use a reachable one, or allow it in kubeconfigPolicy"),
                text,
                kind);
    }

    /** Decision of the egress policy on a resolved server. */
    public sealed interface EgressDecision {
        /** Connect to this address only: resolving the name again could return another one. */
        record Allowed(InetAddress pinned) implements EgressDecision {}

        /** All addresses are forbidden; reason {@code EndpointRefused}. */
        record Refused(Problem finding, String address, AddressClass addressClass) implements EgressDecision {}
    }

    /** What an operator may additionally allow in kubeconfigs. */
    public enum Allowance {
        /** Skip verification of the server's certificate. */
        @JsonProperty("InsecureSkipTLSVerify")
        INSECURE_SKIP_TLS_VERIFY,
        /** Use a proxy. */
        @JsonProperty("ProxyURL")
        PROXY_URL,
        /** Use an address of the hub's own host or pod, or of its Services. */
        @JsonProperty("Loopback")
        LOOPBACK,
        /** Use a link-local address; instance metadata remains forbidden. */
        @JsonProperty("LinkLocal")
        LINK_LOCAL,
        /** Use the management cluster's own API server. */
        @JsonProperty("ManagementCluster")
        MANAGEMENT_CLUSTER
    }
}
