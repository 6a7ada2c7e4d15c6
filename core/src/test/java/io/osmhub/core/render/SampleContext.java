package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.render.TemplateData.TemplateInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import java.util.List;
import java.util.Set;

/** What templates see of an ubuntu machine on AWS. */
final class SampleContext {
    private SampleContext() {}

    static TemplateInput withToken(String token) {
        ProviderConfig provider = new ProviderConfig(List.of(), "aws", null, "ubuntu", null, null, null);
        KubeletSettings kubelet = new KubeletSettings(null, null, null, 110, null, null, null, null, null, null);
        return new TemplateInput(
                "v1.33.2",
                false,
                provider,
                new OperatingSystemSpec.DistUpgrade(false),
                kubelet,
                new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
                        .toTenantSettings()
                        .provisioning(),
                "-----BEGIN CERTIFICATE-----\n",
                "",
                "https://k8s.example:6443",
                new ObjectNames("kube-system", "workers"),
                () -> "apiVersion: v1\n",
                token,
                "",
                schema -> "version = 3\n",
                "http://proxy.example:3128",
                Set.of("Token"));
    }
}
