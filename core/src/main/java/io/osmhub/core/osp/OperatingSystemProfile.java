package io.osmhub.core.osp;

import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stored profile. {@code namespace} is empty when a file names none. */
public record OperatingSystemProfile(String namespace, String name, Spec spec) {
    /**
     * {@code spec} of the object.
     *
     * @param provisioningUtility {@code cloud-init} or {@code ignition}; empty if left out
     * @param supportedKubernetesVersions constraint on the kubelet version; null for all
     * @param supportedNodeFetch empty if left out, which means the shared token only
     */
    public record Spec(
            String osName,
            String osVersion,
            String version,
            List<String> supportedCloudProviders,
            String provisioningUtility,
            TemplateLanguage templateEngine,
            @Nullable String supportedKubernetesVersions,
            List<NodeFetchMethod> supportedNodeFetch,
            Config bootstrapConfig,
            Config provisioningConfig) {
        public Spec {
            supportedCloudProviders = List.copyOf(supportedCloudProviders);
            supportedNodeFetch = List.copyOf(supportedNodeFetch);
        }

        /** Whether its machines can fetch with that method. */
        public boolean supports(NodeFetchMethod way) {
            return supportedNodeFetch.isEmpty()
                    ? way == NodeFetchMethod.SHARED_TOKEN
                    : supportedNodeFetch.contains(way);
        }
    }

    /** One of the two configurations of a profile. */
    public record Config(
            List<ContainerRuntime> supportedContainerRuntimes,
            Map<String, String> templates,
            List<SystemdUnit> units,
            List<File> files,
            @Nullable CloudInitModules modules) {
        public Config {
            supportedContainerRuntimes = List.copyOf(supportedContainerRuntimes);
            templates = Map.copyOf(templates);
            units = List.copyOf(units);
            files = List.copyOf(files);
        }
    }

    /** Files and snippets that only apply with one container runtime. */
    public record ContainerRuntime(String name, List<File> files, Map<String, String> templates) {
        public ContainerRuntime {
            files = List.copyOf(files);
            templates = Map.copyOf(templates);
        }
    }

    /**
     * A file template.
     *
     * @param permissions decimal number whose digits are the octal mode; 0 if left out
     * @param inline null if the object has no {@code content.inline}, which the schema allows and rendering rejects
     */
    public record File(
            String path, int permissions, @Nullable Inline inline) {}

    /** Inline content; {@code encoding} is empty when left out. */
    public record Inline(String data, String encoding) {}
}
