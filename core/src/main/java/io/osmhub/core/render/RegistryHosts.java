package io.osmhub.core.render;

import io.osmhub.core.emit.toml.TomlStrings;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.Mirrors.Layout;
import io.osmhub.core.settings.TenantSettings.Registries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * containerd's {@code hosts.toml} files: one for each registry with mirrors or without verification, and always one for
 * Docker Hub.
 *
 * <p>The peer sorts a registry's hosts by URL, which loses the order in which they should be tried, and of two registries on
 * one host it keeps one. {@link Layout#AS_PEER} does the same; {@link Layout#AS_GIVEN} does what the settings say.
 */
final class RegistryHosts {
    private static final String DIRECTORY = "/etc/containerd/certs.d/";
    private static final String DOCKER_HUB = "docker.io";
    private static final String DOCKER_HUB_URL = "https://registry-1.docker.io";
    private static final String DEFAULT = "_default";
    private static final int MODE = 600;

    private RegistryHosts() {}

    private record Registry(String name, List<Endpoint> endpoints, boolean insecure) {
        /** Name of the directory that containerd looks into. */
        String directory() {
            int slash = name.indexOf('/');
            String directory = slash < 0 ? name : name.substring(0, slash);
            return directory.equals("*") ? DEFAULT : directory;
        }

        /** Where the registry itself is, empty for all others. The peer writes its name without a scheme. */
        String server() {
            String directory = directory();
            return directory.equals(DOCKER_HUB) ? DOCKER_HUB_URL : directory.equals(DEFAULT) ? "" : name;
        }

        Registry mergedWith(Registry other) {
            List<Endpoint> both = new ArrayList<>(endpoints);
            both.addAll(other.endpoints);
            return new Registry(directory(), both, insecure || other.insecure);
        }
    }

    /** The files, in byte order of their paths. */
    static List<OperatingSystemConfig.File> files(Registries settings) {
        Layout layout = settings.mirrors().layout();
        SortedMap<String, Registry> byDirectory = new TreeMap<>();
        for (Registry registry : registries(settings, layout)) {
            byDirectory.merge(
                    registry.directory(),
                    registry,
                    (before, after) -> layout == Layout.AS_PEER ? after : before.mergedWith(after));
        }
        List<OperatingSystemConfig.File> files = new ArrayList<>(byDirectory.size());
        byDirectory.forEach((directory, registry) -> files.add(new OperatingSystemConfig.File(
                DIRECTORY + directory + "/hosts.toml", MODE, text(registry, layout), "")));
        return files;
    }

    private static Iterable<Registry> registries(Registries settings, Layout layout) {
        Map<String, Registry> registries = layout == Layout.AS_PEER ? new TreeMap<>() : new LinkedHashMap<>();
        registries.put(DOCKER_HUB, new Registry(DOCKER_HUB, List.of(new Endpoint(DOCKER_HUB_URL, false)), false));
        for (Mirror mirror : settings.mirrors().mirrors()) {
            if (!mirror.endpoints().isEmpty()) {
                registries.put(mirror.registry(), new Registry(mirror.registry(), mirror.endpoints(), false));
            }
        }
        for (String insecure : settings.insecure()) {
            Registry known = registries.get(insecure);
            List<Endpoint> endpoints = known == null ? List.of() : known.endpoints();
            registries.put(insecure, new Registry(insecure, endpoints, true));
        }
        return registries.values();
    }

    private static String text(Registry registry, Layout layout) {
        Map<String, Endpoint> hosts = layout == Layout.AS_PEER ? new TreeMap<>() : new LinkedHashMap<>();
        for (Endpoint endpoint : registry.endpoints()) {
            hosts.put(endpoint.url(), endpoint);
        }
        String server = registry.server();
        if (hosts.isEmpty()) {
            hosts.put(server, new Endpoint(server, false));
        }
        StringBuilder toml = new StringBuilder(160);
        if (!server.isEmpty()) {
            toml.append("server = ").append(TomlStrings.quote(server)).append("\n\n");
        }
        for (Endpoint host : hosts.values()) {
            // Without a name the group is empty: for all other registries the file's top level stands for their own
            // server.
            if (!host.url().isEmpty() || layout == Layout.AS_PEER) {
                toml.append("[host.").append(TomlStrings.key(host.url())).append("]\n");
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
