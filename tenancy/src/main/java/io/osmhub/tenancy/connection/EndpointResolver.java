package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.EndpointLimiter;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.EgressDecision;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.port.Scheduler;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Resolves a kubeconfig's server and checks its address against the egress policy of the tenant's namespace. */
final class EndpointResolver {
    private final DnsResolver names;
    private final Function<String, EgressPolicy> policies;
    private final EndpointLimiter endpoints;
    private final Scheduler timers;

    EndpointResolver(
            DnsResolver names, Function<String, EgressPolicy> policies, EndpointLimiter endpoints, Scheduler timers) {
        this.names = names;
        this.policies = policies;
        this.endpoints = endpoints;
        this.timers = timers;
    }

    /**
     * An allowed endpoint.
     *
     * @param access with a pinned address, so that the name cannot resolve to another one later
     * @param address the server's, or its proxy's
     */
    record ResolvedEndpoint(ServerAccess access, InetAddress address) {}

    ResolvedEndpoint resolve(ValidatedKubeconfig kubeconfig, ConnectionSubject subject) throws ConnectFailure {
        ServerAccess access = ServerAccessFactory.of(kubeconfig);
        URI proxy = kubeconfig.proxy();
        if (proxy == null) {
            InetAddress address = address(subject, kubeconfig.host(), kubeconfig.port(), kubeconfig.literalAddress());
            count(subject, literal(address) + ":" + kubeconfig.port());
            return new ResolvedEndpoint(access.at(address), address);
        }
        int proxyPort = ServerAccessFactory.port(proxy);
        // The proxy resolves the server's name; the hub connects to and checks only the proxy's address.
        InetAddress address = address(subject, proxy.getHost(), proxyPort, Optional.empty());
        count(subject, literal(address) + ":" + proxyPort + " " + kubeconfig.host() + ":" + kubeconfig.port());
        URI pinned = URI.create(proxy.getScheme() + "://" + literal(address) + ":" + proxyPort);
        return new ResolvedEndpoint(access.through(pinned), address);
    }

    private void count(ConnectionSubject subject, String endpoint) throws ConnectFailure {
        if (!endpoints.tryUse(subject.tenant(), endpoint, timers.nanoTime())) {
            throw ConnectFailure.of(
                    Kind.NO_CONNECTION,
                    "not tried: namespace " + subject.tenant() + " named more than " + EndpointLimiter.LIMIT
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
            addresses = literal.isPresent() ? List.of(literal.get()) : names.resolve(host);
        } catch (UnknownHostException e) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "not found in DNS");
        }
        if (addresses.isEmpty()) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "not found in DNS");
        }
        return switch (policies.apply(subject.tenant()).check(subject.secretPath(), host, port, addresses)) {
            case EgressDecision.Allowed allowed -> allowed.pinned();
            case EgressDecision.Refused refused ->
                throw ConnectFailure.refused(
                        refused.finding().what(),
                        new RefusedAddress(
                                refused.address(), refused.addressClass().wireName()));
        };
    }
}
