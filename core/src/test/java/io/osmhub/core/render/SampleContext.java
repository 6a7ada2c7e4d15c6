package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.TemplateData.TemplateInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What templates see of an ubuntu machine on AWS. */
final class SampleContext {
    private SampleContext() {}

    static TemplateInput withToken(String token) {
        MachineDeployment machineDeployment = MachineDeployment.of("kube-system", "workers", Map.of(), "1.33.2", null);
        OperatingSystemProfile.Config nothing =
                new OperatingSystemProfile.Config(List.of(), Map.of(), List.of(), List.of(), null);
        CompiledProfile profile = new CompiledProfileCache(new TemplateEngines(), 1)
                .getOrCompile(new OperatingSystemProfile.Spec(
                        "ubuntu", "", "", List.of("aws"), "", TemplateLanguage.GO, null, List.of(), nothing, nothing));
        RenderInput input = new RenderInput(
                "cluster-x7f",
                machineDeployment,
                new RenderInput.Profile("", "", profile),
                new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
                        .toTenantSettings()
                        .provisioning(),
                new RenderInput.BootstrapAccess(
                        new ApiServerEndpoint("https://k8s.example:6443", new TreeMap<>()),
                        new Sensitive("join"),
                        new Sensitive(token)),
                new RenderInput.References(
                        "-----BEGIN CERTIFICATE-----\n",
                        "",
                        RegistryCredentials.NONE,
                        new Sensitive("http://proxy.example:3128")));
        return new TemplateInput(
                input,
                new ProviderConfig(List.of(), "aws", null, "ubuntu", null, null, null),
                new OperatingSystemSpec.DistUpgrade(false),
                new KubeletSettings(new TreeMap<>(Map.of("MaxPods", 110))),
                Objects.requireNonNull(KubeletVersion.read(machineDeployment, new ArrayList<>())));
    }
}
