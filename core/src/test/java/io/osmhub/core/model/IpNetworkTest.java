package io.osmhub.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpNetworkTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, 11.0.0.0",
        "192.168.4.0/22, 192.168.7.255, 192.168.8.0",
        "203.0.113.9/32, 203.0.113.9, 203.0.113.10",
        "0.0.0.0/0, 255.255.255.255, ::1",
        "fe80::/10, febf::1, fec0::",
        "2001:db8::/33, 2001:db8:7fff::, 2001:db8:8000::",
        "::1/128, ::1, ::2",
        "::/0, 10.0.0.1, ''",
        "::ffff:10.0.0.0/104, 10.1.1.1, 11.1.1.1",
    })
    void containsTheAddressesThatShareItsPrefix(String network, String inside, String outside) {
        IpNetwork read = IpNetwork.of(network);

        assertThat(read.contains(address(inside))).isTrue();
        assertThat(outside.isEmpty() || !read.contains(address(outside))).isTrue();
    }

    private static IpAddress address(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address == null) {
            throw new IllegalArgumentException(text);
        }
        return address;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "fe80:/10",
                "fe80::/129",
                "fe80::1/10",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "10.0.0.0/1000",
                "a/8",
                "10.0.0.0/8/8"
            })
    void refusesWhatIsNoNetwork(String text) {
        assertThat(IpNetwork.parse(text)).isNull();
        assertThatThrownBy(() -> IpNetwork.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "fd00:ec2::254/128", "::/0", "0.0.0.0/0"})
    void writesItselfAsItIsRead(String text) {
        assertThat(IpNetwork.of(text)).hasToString(text);
    }
}
