package io.osmhub.core.render;

import io.osmhub.core.emit.toml.TomlStrings;
import io.osmhub.core.settings.TenantSettings.ContainerRuntime;

/** containerd's {@code config.toml}, schema version 3, byte for byte the peer's. */
final class ContainerdConfig {
    private static final String IMAGES = "[plugins.\"io.containerd.cri.v1.images\"";
    private static final String RUNTIME = "[plugins.\"io.containerd.cri.v1.runtime\"";

    private ContainerdConfig() {}

    static String text(ContainerRuntime runtime, RegistryCredentials credentials) {
        StringBuilder toml = new StringBuilder(1024);
        toml.append("version = 3\n\n[metrics]\naddress = \"127.0.0.1:1338\"\n\n[plugins]\n");
        toml.append(IMAGES).append("]\ndiscard_unpacked_layers = false\n");
        if (!runtime.pauseImage().isEmpty()) {
            toml.append(IMAGES).append(".pinned_images]\n");
            value(toml, "sandbox", runtime.pauseImage());
        }
        toml.append(IMAGES).append(".registry]\nconfig_path = \"/etc/containerd/certs.d\"\n");
        if (!credentials.byRegistry().isEmpty()) {
            toml.append(IMAGES).append(".registry.configs]\n");
            credentials.byRegistry().forEach((registry, credential) -> credential(toml, registry, credential));
        }
        toml.append(RUNTIME)
                .append("]\ndevice_ownership_from_security_context = ")
                .append(runtime.deviceOwnershipFromSecurityContext())
                .append('\n');
        toml.append(RUNTIME).append(".containerd]\n");
        toml.append(RUNTIME).append(".containerd.runtimes]\n");
        toml.append(RUNTIME).append(".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n");
        toml.append(RUNTIME).append(".containerd.runtimes.runc.options]\nSystemdCgroup = true\n");
        toml.append(RUNTIME).append(".cni]\nbin_dirs = [\"/opt/cni/bin\"]\nconf_dir = \"/etc/cni/net.d\"\n");
        return toml.toString();
    }

    private static void credential(StringBuilder toml, String registry, RegistryCredentials.Credential credential) {
        String group = IMAGES + ".registry.configs." + TomlStrings.key(registry);
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
        toml.append(key).append(" = ").append(TomlStrings.quote(value)).append('\n');
    }
}
