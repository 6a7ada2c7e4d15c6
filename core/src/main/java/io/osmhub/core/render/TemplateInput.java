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
 * The data for the templates of one MachineDeployment, before conversion to Go values. Rarely used texts are computed lazily.
 *
 * @param httpProxy null without a proxy
 * @param credentials names of the fields whose text is or contains a credential
 */
record TemplateInput(
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
