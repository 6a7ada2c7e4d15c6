package io.osmhub.core.airgap;

import io.osmhub.core.settings.TenantSettings.Downloads;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which setting leads a download to a mirror or proxy, and which could. */
public final class Mirrors {
    /** An image of these is not in a mirror, even if a setting names it, as KubeOne does with the pause image. */
    private static final Set<String> PUBLIC_REGISTRIES = Set.of(
            "docker.io",
            "gcr.io",
            "ghcr.io",
            "k8s.gcr.io",
            "mcr.microsoft.com",
            "public.ecr.aws",
            "quay.io",
            "registry.k8s.io");

    private final Provisioning provisioning;
    private final Map<String, String> bases = new LinkedHashMap<>();

    public Mirrors(Provisioning provisioning) {
        this.provisioning = provisioning;
        Downloads downloads = provisioning.downloads();
        bases.put("provisioning.downloads.kubernetes", downloads.kubernetes());
        bases.put("provisioning.downloads.cniPlugins", downloads.cniPlugins());
        bases.put("provisioning.downloads.criTools", downloads.criTools());
        bases.put("provisioning.downloads.containerd", downloads.containerd());
        bases.put("provisioning.downloads.osPackages", downloads.osPackages());
        bases.values().removeIf(String::isEmpty);
    }

    /** The setting through which a node gets a download; null if it contacts the public source. */
    public @Nullable String settingOf(NodeDownload download) {
        return switch (download.kind()) {
            case URL, PACKAGE_SOURCE, UPDATE_SERVER, UNRESOLVED -> {
                for (Map.Entry<String, String> base : bases.entrySet()) {
                    if (download.value().startsWith(base.getValue())) {
                        yield base.getKey();
                    }
                }
                yield proxy();
            }
            case IMAGE -> {
                String pause = provisioning.containerRuntime().pauseImage();
                String registry = download.registry();
                if (download.value().equals(pause) && !PUBLIC_REGISTRIES.contains(registry)) {
                    yield "provisioning.containerRuntime.pauseImage";
                }
                yield provisioning.registries().mirrors().stream()
                                .anyMatch(mirror -> mirror.registry().equals(registry))
                        ? "provisioning.registries.mirrors"
                        : proxy();
            }
            // Packages come from the package sources, which are listed themselves.
            case PACKAGE -> "";
        };
    }

    private @Nullable String proxy() {
        return provisioning.proxy().httpProxy().isEmpty()
                        && provisioning.proxy().httpProxySecret() == null
                ? null
                : "provisioning.proxy";
    }
}
