package io.osmhub.sim.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

final class ProviderUserDataTest {
    @Test
    void placeholdersBecomeTheNameOfTheMachine() {
        assertThat(of("hostname: <MACHINE_NAME>\ndata:,%3CMACHINE_NAME%3E", "hetzner", "ubuntu")
                        .document())
                .isEqualTo("hostname: md-x1\ndata:,md-x1");
    }

    @Test
    void linesOfBlanksAreEmptiedAndOthersKept() {
        assertThat(of("a:\n    \n\t\n  b \n", "hetzner", "ubuntu").document()).isEqualTo("a:\n\n\n  b \n");
    }

    @Test
    void onlyAwsAndThereOnlyOtherSystemsThanFlatcarGetItCompressed() {
        String document = "a".repeat(20_000);

        assertThat(of(document, "aws", "ubuntu").isTooLarge()).isFalse();
        assertThat(of(document, "aws", "flatcar").isTooLarge()).isTrue();
        assertThat(of(document, "hetzner", "ubuntu").passedBytes()).isEqualTo(20_000);
        assertThat(of(document, "openstack", "ubuntu").passedBytes()).isEqualTo(26_668);
    }

    @Test
    void aProviderWithoutAKnownLimitAcceptsEverything() {
        assertThat(of("a".repeat(1_000_000), "vsphere", "ubuntu").isTooLarge()).isFalse();
    }

    private static ProviderUserData of(String bootstrap, String provider, String operatingSystem) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.put("cloudProvider", provider).put("operatingSystem", operatingSystem);
        return ProviderUserData.of(bootstrap, "md-x1", spec);
    }
}
