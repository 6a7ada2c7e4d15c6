package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileCompatibilityTest {
    private static final OperatingSystemProfile.Config NOTHING =
            new OperatingSystemProfile.Config(List.of(), Map.of(), List.of(), List.of(), null);

    private static OperatingSystemProfile.Spec profile(String utility, @Nullable String versions) {
        return new OperatingSystemProfile.Spec(
                "flatcar",
                "1",
                "v1.0.0",
                List.of("aws", "gce"),
                utility,
                TemplateLanguage.GO,
                versions,
                List.of(),
                NOTHING,
                NOTHING);
    }

    private static MachineDeployment machineDeployment(String operatingSystem, String provider, String spec) {
        return MachineDeployment.of(
                "ns",
                "md",
                Map.of(),
                "1.34.2",
                "{\"operatingSystem\":\"%s\",\"cloudProvider\":\"%s\",\"operatingSystemSpec\":%s}"
                        .formatted(operatingSystem, provider, spec));
    }

    @Test
    void aProfileServesItsOperatingSystemAndProviders() {
        OperatingSystemProfile.Spec profile = profile("", null);

        assertThatCode(() -> ProfileCompatibility.requireSupported(
                        profile, "p", "p", machineDeployment("flatcar", "gce", "{}")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ProfileCompatibility.requireSupported(
                        profile, "p", "p", machineDeployment("ubuntu", "azure", "{}")))
                .isInstanceOf(TenantMistake.class)
                .hasMessage("""
                        MachineDeployment ns/md, providerSpec.value.operatingSystem: OperatingSystemProfile "p" does not support operating system "ubuntu"; it is for flatcar
                        MachineDeployment ns/md, providerSpec.value.cloudProvider: OperatingSystemProfile "p" does not support cloud provider "azure"; it supports aws, gce""");
    }

    @ParameterizedTest
    @CsvSource({
        "flatcar, {}, ignition",
        "flatcar, null, ignition",
        "flatcar, '{\"provisioningUtility\":\"cloud-init\"}', cloud-init",
        "flatcar, '{\"provisioningUtility\":\"other\"}', other",
        "ubuntu, '{\"provisioningUtility\":\"ignition\"}', cloud-init"
    })
    void flatcarChoosesItsUtility(String operatingSystem, String spec, String utility) {
        MachineDeployment machineDeployment = machineDeployment(operatingSystem, "aws", spec);
        ProviderConfig config = ProviderConfig.decode(machineDeployment).strict();

        assertThat(ProfileCompatibility.utility(config, machineDeployment, false))
                .isEqualTo(utility);
    }

    @Test
    void aProfileWithoutUtilityServesAny() {
        MachineDeployment machineDeployment = machineDeployment("flatcar", "aws", "{}");

        assertThatCode(() -> ProfileCompatibility.requireSupported(profile("", null), "p", "p", machineDeployment))
                .doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        ProfileCompatibility.requireSupported(profile("cloud-init", null), "p", "p", machineDeployment))
                .hasMessageContaining("asks for ignition, p makes cloud-init");
    }

    @ParameterizedTest
    @CsvSource({
        "1.34.2, '>=1.30.0 <1.37.0', true",
        "1.37.0, '>=1.30.0 <1.37.0', false",
        "1.34.0-rc.1, '>=1.30.0', true",
        "1.34.2, no constraint, false",
        "1.34.2, , true"
    })
    void aProfileMayBeForSomeKubernetesVersions(String kubelet, @Nullable String versions, boolean served) {
        MachineDeployment machineDeployment = MachineDeployment.of("ns", "md", Map.of(), kubelet, null);
        List<Problem> findings = new ArrayList<>();
        KubeletVersion version = Objects.requireNonNull(KubeletVersion.read(machineDeployment, findings));

        assertThat(ProfileCompatibility.findVersionMismatch(profile("", versions), "p", version, machineDeployment)
                        .isEmpty())
                .isEqualTo(served);
    }
}
