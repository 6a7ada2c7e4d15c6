package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the templates of one MachineDeployment may know, before it becomes Go values. Texts that few of them read are made when
 * one does.
 *
 * @param httpProxy null without a proxy
 * @param credentials names of the fields whose text is, or holds, a credential
 */
record FilesContext(
        String kubeVersion,
        boolean inTreeManagerAvailable,
        ProviderConfig provider,
        OperatingSystemSpec operatingSystem,
        KubeletSettings kubelet,
        Provisioning settings,
        String kubernetesCa,
        String hostCa,
        String serverUrl,
        ObjectNames names,
        Supplier<String> bootstrapKubeconfig,
        String token,
        String cloudConfig,
        Function<ContainerdConfig.Schema, String> containerRuntimeConfig,
        @Nullable String httpProxy,
        Set<String> credentials) {
    @Override
    public String toString() {
        return "FilesContext[...]";
    }
}
