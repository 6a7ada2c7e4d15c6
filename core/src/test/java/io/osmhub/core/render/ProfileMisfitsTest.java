package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileMisfitsTest {
    private static final OperatingSystemProfile.Spec FLATCAR = ProfileReader.stored()
            .read(YamlDocumentReader.read("osp.yaml", """
                            metadata: {name: osp-x}
                            spec:
                              osName: flatcar
                              version: v1.0.0
                              provisioningUtility: cloud-init
                              supportedCloudProviders: [{name: aws}, {name: gce}]
                              supportedKubernetesVersions: ">=1.33.0"
                            """, Reason.SettingsInvalid)
                    .getFirst())
            .spec();

    private static List<Problem> misfits(String provider, String system, String utility, String version) {
        return ProfileCompatibility.findIncompatibilities(
                FLATCAR, "osp-x", MachineDeployment.of("kube-system", "workers", Map.of(), version, """
                        {"cloudProvider":"%s","operatingSystem":"%s","operatingSystemSpec":{%s}}""".formatted(
                        provider, system, utility.isEmpty() ? "" : "\"provisioningUtility\":\"" + utility + "\"")));
    }

    @Test
    void oneThatFitsHasNone() {
        assertThat(misfits("aws", "flatcar", "cloud-init", "1.34.2")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "hetzner, flatcar, cloud-init, 1.34.2, ProfileCloudProviderMismatch",
        "aws, ubuntu, '', 1.34.2, ProfileOperatingSystemMismatch",
        "aws, flatcar, ignition, 1.34.2, ProvisioningUtilityMismatch",
        "aws, flatcar, cloud-init, 1.32.9, ProfileKubernetesVersionMismatch",
        "aws, flatcar, cloud-init, newest, KubeletVersionInvalid"
    })
    void eachIsNamedByItsReason(String provider, String system, String utility, String version, String reason) {
        assertThat(misfits(provider, system, utility, version))
                .extracting(problem -> problem.reason().wireName())
                .containsExactly(reason);
    }

    @Test
    void whatIsWrongWithTheMachineAndWithItsVersionIsToldTogether() {
        assertThat(misfits("hetzner", "ubuntu", "", "1.30.0"))
                .extracting(problem -> problem.reason().wireName())
                .containsExactly(
                        "ProfileOperatingSystemMismatch",
                        "ProfileCloudProviderMismatch",
                        "ProfileKubernetesVersionMismatch");
    }

    @Test
    void aProviderConfigThatCannotBeReadIsOne() {
        assertThat(ProfileCompatibility.findIncompatibilities(
                        FLATCAR, "osp-x", MachineDeployment.of("kube-system", "workers", Map.of(), "1.34.2", null)))
                .extracting(problem -> problem.reason().wireName())
                .containsExactly("ProviderSpecMissing");
    }
}
