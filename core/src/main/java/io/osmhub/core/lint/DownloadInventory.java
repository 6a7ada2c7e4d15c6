package io.osmhub.core.lint;

import io.osmhub.core.airgap.DownloadScanner;
import io.osmhub.core.airgap.Mirrors;
import io.osmhub.core.airgap.NodeDownload;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.lint.MatrixFilter.LintScenario;
import io.osmhub.core.lint.MatrixFilter.MatrixCombination;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceFile;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What nodes of a profile download, over its cloud providers and Kubernetes versions.
 *
 * @param operatingSystem as in the profile, for example {@code ubuntu}
 * @param version of the operating system; empty if the profile has none
 * @param entries ordered by kind and value
 */
public record DownloadInventory(
        String profile, String operatingSystem, String version, int renderings, List<Entry> entries) {
    /**
     * A download, with the Kubernetes minor versions and cloud providers that need it.
     *
     * @param checksum URL of the checksum that is published beside a URL and that the node checks; empty if none is
     */
    public record Entry(
            NodeDownload download, String checksum, List<String> kubernetesVersions, List<String> cloudProviders) {
        public Entry {
            kubernetesVersions = List.copyOf(kubernetesVersions);
            cloudProviders = List.copyOf(cloudProviders);
        }
    }

    private record Identity(DownloadKind kind, String value, String file) {}

    public DownloadInventory {
        entries = List.copyOf(entries);
    }

    /** @throws TenantMistake if a combination cannot be rendered */
    static DownloadInventory of(
            OperatingSystemProfile profile,
            CompiledProfile compiled,
            MatrixFilter choice,
            Provisioning settings,
            Renderer renderer) {
        OperatingSystemProfile.Spec spec = profile.spec();
        Map<Identity, Entry> entries = new LinkedHashMap<>();
        int renderings = 0;
        for (String version : KubernetesVersions.matching(spec.supportedKubernetesVersions())) {
            for (String provider :
                    spec.supportedCloudProviders().stream().distinct().toList()) {
                if (!choice.matches(spec.osName(), provider, version)) {
                    continue;
                }
                MatrixCombination point = new MatrixCombination(provider, version, LintScenario.PLAIN);
                List<NodeDownload> downloads =
                        DownloadScanner.scan(renderer.render(point.input(profile, compiled, settings))
                                .revealed());
                for (NodeDownload download : downloads) {
                    entries.merge(
                            new Identity(download.kind(), download.value(), download.file()),
                            new Entry(download, "", List.of(version), List.of(provider)),
                            (first, more) -> new Entry(
                                    first.download(),
                                    "",
                                    union(first.kubernetesVersions(), version),
                                    union(first.cloudProviders(), provider)));
                }
                renderings++;
            }
        }
        return of(profile.name(), spec.osName(), spec.osVersion(), renderings, entries.values());
    }

    /** One rendering. {@code kubernetesVersion} is the kubelet's. */
    public static DownloadInventory of(String profile, OperatingSystemConfig.Spec rendered, String kubernetesVersion) {
        List<Entry> entries = DownloadScanner.scan(rendered).stream()
                .map(download -> new Entry(download, "", List.of(kubernetesVersion), List.of(rendered.cloudProvider())))
                .toList();
        return of(profile, rendered.osName(), rendered.osVersion(), 1, entries);
    }

    private static DownloadInventory of(
            String profile, String operatingSystem, String version, int renderings, Collection<Entry> entries) {
        Set<String> urls =
                entries.stream().map(entry -> entry.download().value()).collect(Collectors.toSet());
        List<Entry> sorted = new ArrayList<>();
        for (Entry entry : entries) {
            String checksum = DownloadScanner.publishedChecksum(entry.download().value(), urls);
            sorted.add(new Entry(
                    entry.download(),
                    checksum == null ? "" : checksum,
                    entry.kubernetesVersions(),
                    entry.cloudProviders()));
        }
        sorted.sort(Comparator.comparing((Entry entry) -> entry.download().kind())
                .thenComparing(entry -> entry.download().value())
                .thenComparing(entry -> entry.download().file()));
        return new DownloadInventory(profile, operatingSystem, version, renderings, sorted);
    }

    private static List<String> union(List<String> some, String one) {
        if (some.contains(one)) {
            return some;
        }
        List<String> all = new ArrayList<>(some);
        all.add(one);
        return all;
    }

    /** Adds a finding for each download that no setting provides. */
    void report(ProfileSourceMap source, Mirrors mirrors, FindingCollector findings) {
        for (Entry entry : entries) {
            NodeDownload download = entry.download();
            if (mirrors.settingOf(download) != null) {
                continue;
            }
            SourceFile file = file(source, download.file());
            boolean unresolved = download.kind() == DownloadKind.UNRESOLVED;
            findings.add(new LintFinding(
                    // The MachineDeployment decides whether Flatcar updates itself.
                    download.kind() == DownloadKind.UPDATE_SERVER ? LintSeverity.INFO : LintSeverity.ERROR,
                    LintRule.AIR_GAP,
                    source.positionOf(file == null ? "spec" : file.textField()),
                    file == null ? "spec (" + download.file() + ")" : file.label(),
                    SourcePosition.NONE,
                    (unresolved ? "cannot determine what is downloaded: " : "nodes download " + kind(download))
                            + download.value(),
                    Mirrors.fix(download),
                    new Evidence(
                            entry.cloudProviders().getFirst() + ", Kubernetes "
                                    + entry.kubernetesVersions().getFirst(),
                            1,
                            download.line(),
                            "")));
        }
    }

    private static String kind(NodeDownload download) {
        return download.kind() == DownloadKind.URL
                ? ""
                : download.kind().wireName().replace('-', ' ') + " ";
    }

    private static @Nullable SourceFile file(ProfileSourceMap source, String path) {
        for (ConfigName config : ConfigName.values()) {
            for (SourceFile file : source.files(config)) {
                if (file.file().path().equals(path)) {
                    return file;
                }
            }
        }
        return null;
    }
}
