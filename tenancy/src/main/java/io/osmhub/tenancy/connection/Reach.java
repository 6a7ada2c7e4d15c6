package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.EndpointBudget;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.kubeconfig.Egress;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.port.Timers;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the address that a kubeconfig's server has now, and holds it against the policy of the tenant's namespace. */
final class Reach {
    private final NameService names;
    private final Function<String, EgressPolicy> policies;
    private final EndpointBudget endpoints;
    private final Timers timers;

    Reach(NameService names, Function<String, EgressPolicy> policies, EndpointBudget endpoints, Timers timers) {
        this.names = names;
        this.policies = policies;
        this.endpoints = endpoints;
        this.timers = timers;
    }

    /**
     * A way that may be taken.
     *
     * @param access with the address pinned, so that the name cannot mean another one later
     * @param address the server's, or its proxy's
     */
    record Way(ServerAccess access, InetAddress address) {}

    Way to(VettedKubeconfig kubeconfig, ConnectionSubject subject) throws ConnectFailure {
        ServerAccess access = KubeconfigAccess.of(kubeconfig);
        URI proxy = kubeconfig.proxy();
        if (proxy == null) {
            InetAddress address = address(subject, kubeconfig.host(), kubeconfig.port(), kubeconfig.literalAddress());
            count(subject, literal(address) + ":" + kubeconfig.port());
            return new Way(access.at(address), address);
        }
        int proxyPort = KubeconfigAccess.port(proxy);
        // The proxy resolves the server's name; here only its own address counts, and it is what is connected to.
        InetAddress address = address(subject, proxy.getHost(), proxyPort, Optional.empty());
        count(subject, literal(address) + ":" + proxyPort + " " + kubeconfig.host() + ":" + kubeconfig.port());
        URI pinned = URI.create(proxy.getScheme() + "://" + literal(address) + ":" + proxyPort);
        return new Way(access.through(pinned), address);
    }

    private void count(ConnectionSubject subject, String endpoint) throws ConnectFailure {
        if (!endpoints.tryUse(subject.tenant(), endpoint, timers.nanoTime())) {
            throw ConnectFailure.of(
                    Kind.NO_CONNECTION,
                    "not tried: namespace " + subject.tenant() + " named more than " + EndpointBudget.LIMIT
                            + " different endpoints within a minute");
        }
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    private InetAddress address(ConnectionSubject subject, String host, int port, Optional<InetAddress> literal)
            throws ConnectFailure {
        List<InetAddress> addresses;
        try {
            addresses = literal.isPresent() ? List.of(literal.get()) : names.addresses(host);
        } catch (UnknownHostException e) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "the name service knows no address");
        }
        if (addresses.isEmpty()) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "the name service knows no address");
        }
        return switch (policies.apply(subject.tenant()).check(subject.secretPath(), host, port, addresses)) {
            case Egress.Allowed allowed -> allowed.pinned();
            case Egress.Refused refused ->
                throw ConnectFailure.refused(
                        refused.finding().what(),
                        new RefusedAddress(
                                refused.address(), refused.addressClass().word()));
        };
    }
}
