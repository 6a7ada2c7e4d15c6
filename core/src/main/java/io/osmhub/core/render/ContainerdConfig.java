package io.osmhub.core.render;

import io.osmhub.core.emit.toml.TomlEncoder.TomlStringWriter;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.settings.TenantSettings.ContainerRuntime;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.Registries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** containerd's {@code config.toml} in the two schemas in use. */
final class ContainerdConfig {
    private static final String IMAGES = "[plugins.\"io.containerd.cri.v1.images\"";
    private static final String RUNTIME = "[plugins.\"io.containerd.cri.v1.runtime\"";
    private static final String CRI = "[plugins.\"io.containerd.grpc.v1.cri\"";
    private static final String LAYERS = "discard_unpacked_layers = false\n";
    private static final String RUNC_AND_CNI = """
            PLUGIN.containerd.runtimes]
            PLUGIN.containerd.runtimes.runc]
            runtime_type = "io.containerd.runc.v2"
            PLUGIN.containerd.runtimes.runc.options]
            SystemdCgroup = true
            PLUGIN.cni]
            """;
    private static final String HEAD = "[metrics]\naddress = \"127.0.0.1:1338\"\n\n[plugins]\n";

    enum Schema {
        /** Version 2: the only one for containerd 1.7, supported by 2.x. */
        V2,
        /** Version 3: containerd 2.x. Byte for byte as written by OSM. */
        V3
    }

    private ContainerdConfig() {}

    static String text(ContainerRuntime runtime, RegistryCredentials credentials, Schema schema) {
        StringBuilder toml = new StringBuilder(1024);
        String pauseImage = runtime.pauseImage();
        String ownership = "device_ownership_from_security_context = " + runtime.deviceOwnershipFromSecurityContext();
        if (schema == Schema.V3) {
            toml.append("version = 3\n\n").append(HEAD);
            toml.append(IMAGES).append("]\n").append(LAYERS);
            if (!pauseImage.isEmpty()) {
                toml.append(IMAGES).append(".pinned_images]\n");
                value(toml, "sandbox", pauseImage);
            }
            registries(toml, IMAGES, credentials);
            toml.append(RUNTIME).append("]\n").append(ownership).append('\n');
            toml.append(RUNTIME).append(".containerd]\n").append(RUNC_AND_CNI.replace("PLUGIN", RUNTIME));
            toml.append("bin_dirs = [\"/opt/cni/bin\"]\n");
        } else {
            toml.append("version = 2\n\n").append(HEAD);
            toml.append(CRI).append("]\n").append(ownership).append('\n');
            valueUnlessEmpty(toml, "sandbox_image", pauseImage);
            registries(toml, CRI, credentials);
            toml.append(CRI).append(".containerd]\n").append(LAYERS).append(RUNC_AND_CNI.replace("PLUGIN", CRI));
            toml.append("bin_dir = \"/opt/cni/bin\"\n");
        }
        return toml.append("conf_dir = \"/etc/cni/net.d\"\n").toString();
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

    /**
     * containerd's {@code hosts.toml} files: one for each registry with mirrors or without verification, and always one for Docker Hub.
     *
     * <p>Mirrors are tried in the order given, and registries that share a file are merged in the order given. OSM sorts mirrors by
     * URL, and keeps only one of two registries that share a file.
     */
    static final class ContainerdHosts {
        private static final String DIRECTORY = "/etc/containerd/certs.d/";
        private static final String DOCKER_HUB = "docker.io";
        private static final String DOCKER_HUB_URL = "https://registry-1.docker.io";
        private static final String DEFAULT = "_default";
        private static final int MODE = 600;

        private record Registry(String name, List<Endpoint> endpoints, boolean insecure) {
            /** Name of containerd's directory for the registry. */
            String directory() {
                int slash = name.indexOf('/');
                String directory = slash < 0 ? name : name.substring(0, slash);
                return directory.equals("*") ? DEFAULT : directory;
            }

            /** URL of the registry itself, empty for all others. OSM writes its name without a scheme. */
            String server() {
                String directory = directory();
                return directory.equals(DOCKER_HUB) ? DOCKER_HUB_URL : directory.equals(DEFAULT) ? "" : name;
            }

            Registry mergedWith(Registry other) {
                List<Endpoint> both = new ArrayList<>(endpoints);
                both.addAll(other.endpoints);
                return new Registry(name.equals(other.name) ? name : directory(), both, insecure || other.insecure);
            }
        }

        /** The files, in byte order of their paths. */
        static List<OperatingSystemConfig.File> files(Registries settings) {
            Map<String, Registry> byDirectory = new LinkedHashMap<>();
            add(byDirectory, new Registry(DOCKER_HUB, List.of(), false));
            for (Mirror mirror : settings.mirrors()) {
                add(byDirectory, new Registry(mirror.registry(), mirror.endpoints(), false));
            }
            for (String insecure : settings.insecure()) {
                add(byDirectory, new Registry(insecure, List.of(), true));
            }
            List<OperatingSystemConfig.File> files = new ArrayList<>(byDirectory.size());
            byDirectory.forEach((directory, registry) -> files.add(
                    new OperatingSystemConfig.File(DIRECTORY + directory + "/hosts.toml", MODE, text(registry), "")));
            // Compares whole paths: "registry.local" precedes "registry", since a point is less than a slash.
            files.sort(Comparator.comparing(OperatingSystemConfig.File::path));
            return files;
        }

        private static void add(Map<String, Registry> byDirectory, Registry registry) {
            byDirectory.merge(registry.directory(), registry, Registry::mergedWith);
        }

        private static String text(Registry registry) {
            Map<String, Endpoint> hosts = new LinkedHashMap<>();
            for (Endpoint endpoint : registry.endpoints()) {
                hosts.put(endpoint.url(), endpoint);
            }
            String server = registry.server();
            if (hosts.isEmpty()) {
                hosts.put(server, new Endpoint(server, false));
            }
            StringBuilder toml = new StringBuilder(160);
            if (!server.isEmpty()) {
                toml.append("server = ").append(TomlStringWriter.quote(server)).append("\n\n");
            }
            for (Endpoint host : hosts.values()) {
                // The file's top level is for each registry's own server, which has no name here. OSM writes a group
                // for a host with an empty name.
                if (!host.url().isEmpty()) {
                    toml.append("[host.")
                            .append(TomlStringWriter.key(host.url()))
                            .append("]\n");
                }
                toml.append("capabilities = [\"pull\", \"resolve\"]\n");
                if (registry.insecure()) {
                    toml.append("skip_verify = true\n");
                }
                if (host.overridePath()) {
                    toml.append("override_path = true\n");
                }
            }
            return toml.toString();
        }
    }
}
