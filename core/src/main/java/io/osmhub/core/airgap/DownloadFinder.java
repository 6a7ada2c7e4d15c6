package io.osmhub.core.airgap;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the URLs and the pause image in what a machine gets, by pattern. Nothing is run, so a URL with a variable of the shell is listed
 * as it stands, and so is the line of a download that names no URL.
 */
public final class DownloadFinder {
    private static final Pattern URL = Pattern.compile("https?://[^\\s\"'<>|;,)\\\\]+");

    /** The machine itself, and the API server of the worker cluster, which has the node's secrets. */
    private static final Pattern LOCAL = Pattern.compile("https?://(127\\.0\\.0\\.1|localhost|\\[::1])([:/].*)?"
            + "|.*/api/v1/namespaces/cloud-init-settings/secrets/.*");

    /** The hub writes it from the settings: mirrors, and the registries that they stand for. */
    private static final String MIRRORS = "/etc/containerd/certs.d/";

    /** Comments, and the documentation of units. */
    private static final Pattern IGNORED = Pattern.compile("^\\s*(#|Documentation=)");

    /** containerd pulls it for each pod. */
    private static final Pattern PAUSE_IMAGE =
            Pattern.compile("(?:sandbox(?:_image)?\\s*=\\s*|--pod-infra-container-image[= ])[\"']?([^\\s\"'\\\\]+)");

    /** Not where it is an argument, as of a package manager. */
    private static final Pattern FETCH =
            Pattern.compile("(^|[;&|({!`]|\\b(if|then|else|do|while|until|exec|sudo))\\s*(curl|wget)\\s+[^\\s\\\\]");

    private DownloadFinder() {}

    /** The downloads in both configurations of a rendering. */
    public static List<NodeDownload> find(OperatingSystemConfig.Spec spec) {
        Set<NodeDownload> found = new LinkedHashSet<>();
        for (Config config : List.of(spec.bootstrapConfig(), spec.provisioningConfig())) {
            config.files().stream()
                    .filter(file -> !file.path().startsWith(MIRRORS))
                    .forEach(file -> find(file.path(), file.data(), found));
            config.units().forEach(unit -> {
                find(unit.name(), Objects.requireNonNullElse(unit.content(), ""), found);
                unit.dropIns().forEach(dropIn -> find(unit.name() + "/" + dropIn.name(), dropIn.content(), found));
            });
            CloudInitModules modules = Objects.requireNonNullElse(config.modules(), CloudInitModules.NONE);
            find("bootcmd", String.join("\n", modules.bootcmd()), found);
            find("runcmd", String.join("\n", modules.runcmd()), found);
            modules.yumRepos()
                    .forEach(
                            (name, settings) -> find("yum_repos." + name, String.join("\n", settings.values()), found));
        }
        return List.copyOf(found);
    }

    private static void find(String path, String text, Set<NodeDownload> found) {
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (IGNORED.matcher(line).find()) {
                continue;
            }
            boolean hasUrl = false;
            for (Matcher url = URL.matcher(line); url.find(); hasUrl = true) {
                if (!LOCAL.matcher(url.group()).matches()) {
                    found.add(download(DownloadKind.URL, url.group(), path, number));
                }
            }
            Matcher image = PAUSE_IMAGE.matcher(line);
            if (image.find()) {
                found.add(download(DownloadKind.IMAGE, image.group(1), path, number));
            }
            if (!hasUrl && FETCH.matcher(line).find()) {
                found.add(download(DownloadKind.UNRESOLVED, line.strip(), path, number));
            }
        }
    }

    private static NodeDownload download(DownloadKind kind, String value, String path, int line) {
        boolean variable = value.contains("$") || value.contains("`");
        return new NodeDownload(variable ? DownloadKind.UNRESOLVED : kind, value, path, line);
    }
}
