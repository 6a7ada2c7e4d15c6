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

    private final Provisioning settings;
    private final Map<String, String> bases = new LinkedHashMap<>();

    public Mirrors(Provisioning settings) {
        this.settings = settings;
        Downloads downloads = settings.downloads();
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
            case URL, PACKAGE_SOURCE, UPDATE_SERVER -> {
                for (Map.Entry<String, String> base : bases.entrySet()) {
                    if (download.value().startsWith(base.getValue())) {
                        yield base.getKey();
                    }
                }
                yield proxy();
            }
            case IMAGE -> {
                String pause = settings.containerRuntime().pauseImage();
                String registry = registry(download.value());
                if (download.value().equals(pause) && !PUBLIC_REGISTRIES.contains(registry)) {
                    yield "provisioning.containerRuntime.pauseImage";
                }
                yield settings.registries().mirrors().stream()
                                .anyMatch(mirror -> mirror.registry().equals(registry))
                        ? "provisioning.registries.mirrors"
                        : proxy();
            }
            // Packages come from the package sources, which are listed themselves.
            case PACKAGE -> "";
            case UNRESOLVED -> null;
        };
    }

    private @Nullable String proxy() {
        return settings.proxy().httpProxy().isEmpty() && settings.proxy().httpProxySecret() == null
                ? null
                : "provisioning.proxy";
    }

    /** How to make a download available without internet, for users. */
    public static String fix(NodeDownload download) {
        return switch (download.kind()) {
            case URL, PACKAGE_SOURCE ->
                "set provisioning.downloads to a mirror or provisioning.proxy; a profile that ignores them cannot be used"
                        + " without internet";
            case PACKAGE -> "";
            case IMAGE ->
                "add a mirror of " + registry(download.value()) + " to provisioning.registries.mirrors, or set"
                        + " provisioning.containerRuntime.pauseImage to an image of your registry";
            case UPDATE_SERVER -> "set disableAutoUpdate in the MachineDeployment's operatingSystemSpec";
            case UNRESOLVED ->
                "check by hand what this line downloads, or write its URL so that it follows from the script";
        };
    }

    private static String registry(String image) {
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        return first.contains(".") || first.contains(":") || first.equals("localhost") ? first : "docker.io";
    }
}
