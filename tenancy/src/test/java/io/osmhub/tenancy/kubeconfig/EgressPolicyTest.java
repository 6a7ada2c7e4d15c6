package io.osmhub.tenancy.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.tenancy.kubeconfig.AddressClassifier.AddressClass;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.EgressDecision;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EgressPolicyTest {
    private static final List<IpNetwork> DEFAULT_DENIED = KubeconfigPolicy.DEFAULT.denyCidrs();

    private static EgressPolicy policy(Set<Allowance> allow, List<String> deny, List<String> allowed) {
        return new EgressPolicy(
                new KubeconfigRules(
                        allow,
                        deny.stream().map(IpNetwork::of).toList(),
                        allowed.stream().map(IpNetwork::of).toList()),
                Set.of(
                        new InetSocketAddress(address("10.96.0.1"), 443),
                        new InetSocketAddress(address("2001:db8::a"), 6443)),
                Set.of(address("10.244.1.7"), address("2001:db8::7")));
    }

    private static InetAddress address(String text) {
        return AddressClassifier.literal(text).orElseThrow();
    }

    private static EgressDecision check(EgressPolicy policy, int port, String... addresses) {
        return policy.check(
                "cluster-x/shop-kubeconfig",
                "api.example.org",
                port,
                Stream.of(addresses).map(EgressPolicyTest::address).toList());
    }

    private static AddressClass refusal(EgressDecision egress) {
        return switch (egress) {
            case EgressDecision.Allowed(var pinned) -> throw new AssertionError("allowed " + pinned);
            case EgressDecision.Refused(var _, var _, var addressClass) -> addressClass;
        };
    }

    private static String pinned(EgressDecision egress) {
        return switch (egress) {
            case EgressDecision.Allowed(var address) -> address.getHostAddress();
            case EgressDecision.Refused(var finding, var _, var _) -> throw new AssertionError("refused: " + finding);
        };
    }

    @Test
    void pinsTheFirstAddressOfAGoodName() {
        assertThat(pinned(check(policy(Set.of(), List.of(), List.of()), 6443, "203.0.113.10", "2001:db8::1")))
                .isEqualTo("203.0.113.10");
    }

    @Test
    void refusesANameOfWhichOneAddressIsRefused() {
        assertThat(refusal(check(policy(Set.of(), List.of(), List.of()), 6443, "203.0.113.10", "169.254.169.254")))
                .isEqualTo(AddressClass.METADATA);
    }

    @Test
    void saysWhichAddressOfWhichClassItWas() {
        EgressDecision.Refused refused =
                (EgressDecision.Refused) check(policy(Set.of(), List.of(), List.of()), 6443, "64:ff9b::7f00:1");

        assertThat(refused.finding())
                .hasToString("Secret cluster-x/shop-kubeconfig, clusters[0].cluster.server: api.example.org is"
                        + " 64:ff9b::7f00:1, a loopback address; use a reachable one, or allow it in"
                        + " kubeconfigPolicy");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, LOOPBACK, LOOPBACK",
        "::1, LOOPBACK, LOOPBACK",
        "169.254.20.10, LINK_LOCAL, LINK_LOCAL",
        "fe80::1, LINK_LOCAL, LINK_LOCAL",
        "10.96.0.1, MANAGEMENT_CLUSTER, MANAGEMENT_CLUSTER",
        "10.244.1.7, LOOPBACK, OWN",
    })
    void anAllowanceLiftsItsClassOnly(String address, Allowance allowance, AddressClass refusedAs) {
        for (Allowance other : Allowance.values()) {
            EgressPolicy policy = new EgressPolicy(
                    new KubeconfigRules(Set.of(other), DEFAULT_DENIED, List.of()),
                    Set.of(new InetSocketAddress(address("10.96.0.1"), 443)),
                    Set.of(address("10.244.1.7")));

            EgressDecision egress = check(policy, 443, address);

            if (other == allowance) {
                assertThat(pinned(egress)).isEqualTo(address(address).getHostAddress());
            } else {
                assertThat(refusal(egress)).isEqualTo(refusedAs);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16"})
    void noAllowanceOpensAMetadataService(String address) {
        EgressPolicy policy = new EgressPolicy(
                new KubeconfigRules(
                        Set.of(Allowance.values()),
                        List.of(),
                        List.of(IpNetwork.of("0.0.0.0/0"), IpNetwork.of("::/0"))),
                Set.of(),
                Set.of());

        assertThat(refusal(check(policy, 80, address))).isEqualTo(AddressClass.METADATA);
    }

    @Test
    void theManagementClusterIsAnAddressWithItsPort() {
        EgressPolicy policy = policy(Set.of(), List.of(), List.of());

        assertThat(refusal(check(policy, 443, "10.96.0.1"))).isEqualTo(AddressClass.MANAGEMENT_CLUSTER);
        assertThat(refusal(check(policy, 6443, "2001:db8::a"))).isEqualTo(AddressClass.MANAGEMENT_CLUSTER);
        assertThat(refusal(check(policy, 443, "64:ff9b::10.96.0.1"))).isEqualTo(AddressClass.MANAGEMENT_CLUSTER);
        // Another API server behind the same load balancer.
        assertThat(pinned(check(policy, 31_443, "10.96.0.1"))).isEqualTo("10.96.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.244.1.7", "2001:db8::7", "64:ff9b::10.244.1.7"})
    void theHubsOwnAddressesAreRefusedAtEveryPort(String address) {
        EgressPolicy policy = policy(Set.of(), List.of(), List.of());

        assertThat(refusal(check(policy, 8443, address))).isEqualTo(AddressClass.OWN);
        assertThat(refusal(check(policy, 443, "203.0.113.10", address))).isEqualTo(AddressClass.OWN);
    }

    @Test
    void deniesTheNetworksOfTheConfigurationAlsoInsideOthers() {
        EgressPolicy policy = policy(Set.of(), List.of("10.0.0.0/8", "2001:db8:1::/48"), List.of());

        assertThat(refusal(check(policy, 6443, "10.1.2.3"))).isEqualTo(AddressClass.DENIED);
        assertThat(refusal(check(policy, 6443, "64:ff9b::a01:203"))).isEqualTo(AddressClass.DENIED);
        assertThat(refusal(check(policy, 6443, "2001:db8:1::5"))).isEqualTo(AddressClass.DENIED);
        assertThat(pinned(check(policy, 6443, "11.1.2.3"))).isEqualTo("11.1.2.3");
    }

    @Test
    void aNetworkInsideAnAllowedClassStaysDenied() {
        EgressPolicy policy = policy(Set.of(Allowance.LOOPBACK), List.of("127.0.0.0/8", "127.0.0.2/32"), List.of());

        assertThat(pinned(check(policy, 6443, "127.0.0.1"))).isEqualTo("127.0.0.1");
        assertThat(refusal(check(policy, 6443, "127.0.0.2"))).isEqualTo(AddressClass.DENIED);
    }

    @Test
    void reachesNothingBesidesAListOfAllowedNetworks() {
        EgressPolicy policy = policy(Set.of(), List.of(), List.of("203.0.113.0/24"));

        assertThat(pinned(check(policy, 6443, "2001:db8::1", "203.0.113.9"))).isEqualTo("203.0.113.9");
        assertThat(refusal(check(policy, 6443, "198.51.100.1"))).isEqualTo(AddressClass.NOT_LISTED);
        assertThat(refusal(check(policy, 6443, "64:ff9b::203.0.113.9"))).isEqualTo(AddressClass.NOT_LISTED);
    }

    @Test
    void aZoneDoesNotHideALinkLocalAddress() throws Exception {
        InetAddress zoned =
                java.net.Inet6Address.getByAddress("x", address("fe80::1").getAddress(), 1);

        assertThat(refusal(policy(Set.of(), List.of(), List.of())
                        .check("cluster-x/shop-kubeconfig", "api.example.org", 6443, List.of(zoned))))
                .isEqualTo(AddressClass.LINK_LOCAL);
    }

    @Test
    void hasNothingToSayOfANameWithoutAddress() {
        assertThatThrownBy(() -> check(policy(Set.of(), List.of(), List.of()), 6443))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
