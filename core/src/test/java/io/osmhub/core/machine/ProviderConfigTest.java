package io.osmhub.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.machine.ProviderConfig.NetworkConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderConfigTest {
    private static MachineDeployment machineDeployment(@Nullable String providerSpec) {
        return MachineDeployment.of("ns", "md", Map.of(), "1.34.2", providerSpec);
    }

    private static ProviderConfig strict(String providerSpec) {
        return ProviderConfig.decode(machineDeployment(providerSpec)).strict();
    }

    @Test
    void namesMatchWithoutRegardToCaseAndTheLastOfTwoWins() {
        ProviderConfig config = strict(
                "{\"CLOUDPROVIDER\":\"a\",\"cloudProvider\":\"b\",\"OperatingSystem\":\"ubuntu\",\"sshpublickeys\":[\"k\",null]}");

        assertThat(config.cloudProvider()).isEqualTo("b");
        assertThat(config.operatingSystem()).isEqualTo("ubuntu");
        assertThat(config.sshPublicKeys()).containsExactly("k", "");
    }

    @Test
    void keepsTheValuesOfTheSpecsAsTheyAreWritten() {
        ProviderConfig config = strict("{\"cloudProviderSpec\":{ \"a\": 1.50 },\"operatingSystemSpec\":null} trailing");

        assertThat(config.cloudProviderSpec()).isEqualTo("{\"a\":1.50}");
        assertThat(config.operatingSystemSpec()).isNull();
    }

    @Test
    void anUnknownFieldMattersToTheStrictOnly() {
        ProviderConfig.Decoded decoded = ProviderConfig.decode(
                machineDeployment("{\"cloudprovide\":\"x\",\"network\":{\"dns\":{\"server\":[]}}}"));

        assertThat(decoded.lenient().cloudProvider()).isEmpty();
        assertThatThrownBy(decoded::strict).isInstanceOf(TenantMistake.class).hasMessage("""
                        MachineDeployment ns/md, spec.template.spec.providerSpec.value.cloudprovide: unknown field; did you mean cloudProvider?
                        MachineDeployment ns/md, spec.template.spec.providerSpec.value.network.dns.server: unknown field; did you mean servers?""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"network\":{}} | false",
                "{\"network\":{\"ipFamily\":\"IPv6\",\"dns\":{\"servers\":[]}}} | false",
                "{\"network\":{\"cidr\":\"c\"}} | true",
                "{\"network\":{\"gateway\":\"g\"}} | true",
                "{\"network\":{\"dns\":{\"servers\":[\"\"]}}} | true"
            })
    void anAddressGatewayOrServerMakesANetworkStatic(String providerSpec, boolean isStatic) {
        NetworkConfig network = strict(providerSpec).network();

        assertThat(network != null && network.isStatic()).isEqualTo(isStatic);
    }

    @Test
    void nullLeavesANetworkOut() {
        assertThat(strict("{\"network\":{\"cidr\":\"c\"},\"network\":null}").network())
                .isNull();
        assertThat(strict("{\"overwriteCloudConfig\":\"\"}").overwriteCloudConfig())
                .isEmpty();
        assertThat(strict("{\"overwriteCloudConfig\":null}").overwriteCloudConfig())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void nothingToDecodeIsAMistake(String providerSpec) {
        for (MachineDeployment empty : List.of(machineDeployment(providerSpec), machineDeployment(null))) {
            assertThatThrownBy(() -> ProviderConfig.decode(empty))
                    .hasMessageContaining("spec.template.spec.providerSpec.value: missing");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "\"x\"", "5", "{\"cloudProvider\":5}", "{\"network\":[]}", "{\"sshPublicKeys\":[5]}", "{"})
    void anotherTypeIsAMistake(String providerSpec) {
        assertThatThrownBy(() -> strict(providerSpec))
                .isInstanceOf(TenantMistake.class)
                .hasMessageContaining("providerSpec.value");
    }

    @Test
    void operatingSystemsAreThePeersAndThoseOfOwnProfiles() {
        ProviderConfig debian =
                strict("{\"operatingSystem\":\"debian\",\"operatingSystemSpec\":{\"distUpgradeOnBoot\":true}}");

        assertThat(debian.operatingSystemSpec(machineDeployment(null), true))
                .isEqualTo(new OperatingSystemSpec.DistUpgrade(true));
        assertThatThrownBy(() -> debian.operatingSystemSpec(machineDeployment(null), false))
                .hasMessageContaining(
                        "unknown operating system \"debian\"; known: ubuntu, amzn2, rockylinux, flatcar, rhel");
    }

    @Test
    void theSpecOfAnOperatingSystemMayHaveOtherFields() {
        ProviderConfig flatcar = strict(
                "{\"operatingSystem\":\"flatcar\",\"operatingSystemSpec\":{\"disableAutoUpdate\":true,\"provisioningUtility\":\"cloud-init\",\"x\":1}}");

        assertThat(flatcar.operatingSystemSpec(machineDeployment(null), false))
                .isEqualTo(new OperatingSystemSpec.Flatcar(true, false, false, "cloud-init"));
        assertThat(flatcar.distUpgradeOnBoot(machineDeployment(null))).isFalse();
    }
}
