package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that decides what a MachineDeployment's machines get.
 *
 * @param tenantNamespace where the OperatingSystemConfig lives
 * @param references resolves what the provider config names in the worker cluster; only asked for kubelets before 1.29
 */
public record RenderInput(
        String tenantNamespace,
        MachineDeployment machineDeployment,
        Profile profile,
        Provisioning settings,
        Access access,
        References resolved,
        ReferenceResolver references) {
    /** A profile under the name that the MachineDeployment gives it. */
    public record Profile(String namespace, String name, CompiledProfile compiled) {
        /** What findings call it. */
        public String describe() {
            return "OperatingSystemProfile " + (namespace.isEmpty() ? name : namespace + "/" + name);
        }
    }

    /**
     * How machines get in.
     *
     * @param bootstrapToken with which kubelets join
     * @param fetchToken with which machines fetch their provisioning secret
     */
    public record Access(ApiServer apiServer, Sensitive bootstrapToken, Sensitive fetchToken) {}

    /**
     * What the settings refer to.
     *
     * @param kubernetesCa PEM text that nodes get as the cluster's CA
     * @param hostCa PEM text, empty without
     * @param secretHttpProxy URL from a Secret in place of the setting; null when the setting names none
     * @param cloudEnvironment stands for the environment that the peer reads cloud credentials from
     */
    public record References(
            String kubernetesCa,
            String hostCa,
            RegistryCredentials registryCredentials,
            @Nullable Sensitive secretHttpProxy,
            Map<String, String> cloudEnvironment) {
        public References {
            cloudEnvironment = Map.copyOf(cloudEnvironment);
        }

        /** The same with another CA of the cluster. */
        public References withKubernetesCa(String pem) {
            return new References(pem, hostCa, registryCredentials, secretHttpProxy, cloudEnvironment);
        }

        @Override
        public String toString() {
            return "References[...]";
        }
    }
}
