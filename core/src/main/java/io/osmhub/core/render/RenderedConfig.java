package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;

/**
 * The rendering of one MachineDeployment.
 *
 * @param stored the OperatingSystemConfig, with placeholders for credentials
 * @param revealed its spec with the credentials, for the secrets only
 * @param provider the decoded provider config
 * @param kubeletKubeconfig text of the kubelet bootstrap secret
 */
public record RenderedConfig(
        ObjectNames names,
        SourceAnnotations stamps,
        ProviderConfig provider,
        OperatingSystemConfig stored,
        OperatingSystemConfig.Spec revealed,
        Sensitive kubeletKubeconfig) {
    @Override
    public String toString() {
        return "Rendering[" + stored.name() + "]";
    }

    /** The two user-data documents. */
    public record Documents(String bootstrap, String provisioning) {
        @Override
        public String toString() {
            return "Documents[" + bootstrap.length() + ", " + provisioning.length() + "]";
        }
    }
}
