package io.osmhub.core.render;

import io.osmhub.core.emit.toml.TomlStringWriter;
import io.osmhub.core.settings.TenantSettings.ContainerRuntime;

/** containerd's {@code config.toml} in the two schemas in use. */
final class ContainerdConfig {
    private static final String IMAGES = "[plugins.\"io.containerd.cri.v1.images\"";
    private static final String RUNTIME = "[plugins.\"io.containerd.cri.v1.runtime\"";
    private static final String CRI = "[plugins.\"io.containerd.grpc.v1.cri\"";
    private static final String HEAD = "[metrics]\naddress = \"127.0.0.1:1338\"\n\n[plugins]\n";

    enum Schema {
        /** Version 2: the only one for containerd 1.7, supported by 2.x. */
        V2,
        /** Version 3: containerd 2.x. Byte for byte as written by OSM. */
        V3
    }

    private ContainerdConfig() {}

    static String text(ContainerRuntime runtime, RegistryCredentials credentials, Schema schema) {
        return switch (schema) {
            case V2 -> version2(runtime, credentials);
            case V3 -> version3(runtime, credentials);
        };
    }

    private static String version3(ContainerRuntime runtime, RegistryCredentials credentials) {
        StringBuilder toml = new StringBuilder(1024);
        toml.append("version = 3\n\n").append(HEAD);
        toml.append(IMAGES).append("]\ndiscard_unpacked_layers = false\n");
        if (!runtime.pauseImage().isEmpty()) {
            toml.append(IMAGES).append(".pinned_images]\n");
            value(toml, "sandbox", runtime.pauseImage());
        }
        registries(toml, IMAGES, credentials);
        toml.append(RUNTIME).append("]\n");
        deviceOwnership(toml, runtime);
        toml.append(RUNTIME).append(".containerd]\n");
        toml.append(RUNTIME).append(".containerd.runtimes]\n");
        runc(toml, RUNTIME);
        toml.append(RUNTIME).append(".cni]\nbin_dirs = [\"/opt/cni/bin\"]\nconf_dir = \"/etc/cni/net.d\"\n");
        return toml.toString();
    }

    private static String version2(ContainerRuntime runtime, RegistryCredentials credentials) {
        StringBuilder toml = new StringBuilder(1024);
        toml.append("version = 2\n\n").append(HEAD);
        toml.append(CRI).append("]\n");
        deviceOwnership(toml, runtime);
        if (!runtime.pauseImage().isEmpty()) {
            value(toml, "sandbox_image", runtime.pauseImage());
        }
        registries(toml, CRI, credentials);
        toml.append(CRI).append(".containerd]\ndiscard_unpacked_layers = false\n");
        toml.append(CRI).append(".containerd.runtimes]\n");
        runc(toml, CRI);
        toml.append(CRI).append(".cni]\nbin_dir = \"/opt/cni/bin\"\nconf_dir = \"/etc/cni/net.d\"\n");
        return toml.toString();
    }

    private static void deviceOwnership(StringBuilder toml, ContainerRuntime runtime) {
        toml.append("device_ownership_from_security_context = ")
                .append(runtime.deviceOwnershipFromSecurityContext())
                .append('\n');
    }

    private static void runc(StringBuilder toml, String plugin) {
        toml.append(plugin).append(".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n");
        toml.append(plugin).append(".containerd.runtimes.runc.options]\nSystemdCgroup = true\n");
    }

    private static void registries(StringBuilder toml, String plugin, RegistryCredentials credentials) {
        toml.append(plugin).append(".registry]\nconfig_path = \"/etc/containerd/certs.d\"\n");
        if (!credentials.byRegistry().isEmpty()) {
            toml.append(plugin).append(".registry.configs]\n");
            credentials.byRegistry().forEach((registry, credential) -> credential(toml, plugin, registry, credential));
        }
    }

    private static void credential(
            StringBuilder toml, String plugin, String registry, RegistryCredentials.Credential credential) {
        String group = plugin + ".registry.configs." + TomlStringWriter.key(registry);
        toml.append(group).append("]\n").append(group).append(".auth]\n");
        valueUnlessEmpty(toml, "username", credential.username());
        valueUnlessEmpty(toml, "password", credential.password());
        valueUnlessEmpty(toml, "auth", credential.auth());
        valueUnlessEmpty(toml, "identitytoken", credential.identityToken());
    }

    private static void valueUnlessEmpty(StringBuilder toml, String key, String value) {
        if (!value.isEmpty()) {
            value(toml, key, value);
        }
    }

    private static void value(StringBuilder toml, String key, String value) {
        toml.append(key).append(" = ").append(TomlStringWriter.quote(value)).append('\n');
    }
}
