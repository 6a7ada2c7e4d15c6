package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The complete input of a rendering.
 *
 * @param tenantNamespace namespace of the OperatingSystemConfig
 * @param references resolves references of the provider config in the worker cluster; used only for kubelets before 1.29
 */
public record RenderInput(
        String tenantNamespace,
        MachineDeployment machineDeployment,
        Profile profile,
        Provisioning settings,
        BootstrapAccess access,
        References resolved,
        ReferenceResolver references) {
    /** A profile under the name in the MachineDeployment. */
    public record Profile(String namespace, String name, CompiledProfile compiled) {
        public String describe() {
            return "OperatingSystemProfile " + (namespace.isEmpty() ? name : namespace + "/" + name);
        }
    }

    /**
     * How machines join.
     *
     * @param bootstrapToken with which kubelets join
     * @param fetchToken with which machines fetch their provisioning secret
     */
    public record BootstrapAccess(ApiServerEndpoint apiServer, Sensitive bootstrapToken, Sensitive fetchToken) {}

    /**
     * Resolved references of the settings.
     *
     * @param kubernetesCa PEM text of the cluster's CA for nodes
     * @param hostCa PEM text, may be empty
     * @param secretHttpProxy URL from a Secret that replaces the setting; null if the setting names none
     * @param cloudEnvironment replaces the environment from which OSM reads cloud credentials
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
