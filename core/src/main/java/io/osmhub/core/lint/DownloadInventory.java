package io.osmhub.core.lint;

import io.osmhub.core.airgap.DeclaredDownloads;
import io.osmhub.core.airgap.DownloadFinder;
import io.osmhub.core.airgap.Mirrors;
import io.osmhub.core.airgap.NodeDownload;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.ProfileSource.Template;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

        private Entry and(Entry other) {
            return new Entry(
                    download,
                    checksum,
                    union(kubernetesVersions, other.kubernetesVersions),
                    union(cloudProviders, other.cloudProviders));
        }

        private Entry with(String foundChecksum) {
            return new Entry(download, foundChecksum, kubernetesVersions, cloudProviders);
        }

        private static List<String> union(List<String> some, List<String> others) {
            return Stream.concat(some.stream(), others.stream()).distinct().toList();
        }
    }

    /** What a Kubernetes version gets. */
    private record VersionRendering(String version, OperatingSystemConfig.Spec config) {}

    private static final List<String> CHECKSUMS = List.of(".sha256", ".sha256sum", ".sha512");

    public DownloadInventory {
        entries = List.copyOf(entries);
    }

    /**
     * One profile over the combinations of a matrix.
     *
     * @param declared see {@link DeclaredDownloads}; null to find downloads by pattern
     * @throws TenantMistake if a combination cannot be rendered
     */
    static DownloadInventory of(
            OperatingSystemProfile profile,
            @Nullable String declared,
            MatrixFilter choice,
            Provisioning settings,
            Renderer renderer) {
        CompiledProfile compiled = compile(profile.spec(), declared);
        List<VersionRendering> renderings =
                LintMatrix.combinations(profile.spec(), choice, LintMatrix.SITUATIONS.subList(0, 1)).stream()
                        .map(point -> new VersionRendering(
                                point.version(),
                                renderer.render(point.input(profile, compiled, settings, Candidates.NONE))
                                        .revealed()))
                        .toList();
        return of(profile.name(), profile.spec(), declared, renderings);
    }

    /**
     * One MachineDeployment.
     *
     * @param declared see {@link DeclaredDownloads}; null to find downloads by pattern
     * @throws TenantMistake if it cannot be rendered
     */
    public static DownloadInventory of(RenderInput input, @Nullable String declared, Renderer renderer) {
        OperatingSystemProfile.Spec spec = input.profile().compiled().spec();
        String name = input.profile().name();
        RenderInput declaring = new RenderInput(
                input.tenantNamespace(),
                input.machineDeployment(),
                new RenderInput.Profile(input.profile().namespace(), name, compile(spec, declared)),
                input.settings(),
                input.access(),
                input.resolved());
        String version = input.machineDeployment().kubeletVersion();
        OperatingSystemConfig.Spec config = renderer.render(declaring).revealed();
        return of(name, spec, declared, List.of(new VersionRendering(version, config)));
    }

    static CompiledProfile compile(OperatingSystemProfile.Spec spec, @Nullable String declared) {
        return new CompiledProfileCache(new TemplateEngines(), 1)
                .getOrCompile(declared == null ? spec : DeclaredDownloads.declare(spec, declared));
    }

    private static DownloadInventory of(
            String name,
            OperatingSystemProfile.Spec spec,
            @Nullable String declared,
            List<VersionRendering> renderings) {
        Map<NodeDownload, Entry> entries = new LinkedHashMap<>();
        for (VersionRendering rendering : renderings) {
            OperatingSystemConfig.Spec config = rendering.config();
            for (NodeDownload found : declared == null ? DownloadFinder.find(config) : DeclaredDownloads.read(config)) {
                entries.merge(
                        new NodeDownload(found.kind(), found.value(), found.file(), 0),
                        new Entry(found, "", List.of(rendering.version()), List.of(config.cloudProvider())),
                        Entry::and);
            }
        }
        Set<String> values = entries.keySet().stream().map(NodeDownload::value).collect(Collectors.toSet());
        return new DownloadInventory(
                name,
                spec.osName(),
                spec.osVersion(),
                renderings.size(),
                entries.values().stream()
                        .map(entry -> entry.with(CHECKSUMS.stream()
                                .map(entry.download().value()::concat)
                                .filter(values::contains)
                                .findFirst()
                                .orElse("")))
                        .sorted(Comparator.comparing(
                                        (Entry entry) -> entry.download().kind())
                                .thenComparing(entry -> entry.download().value())
                                .thenComparing(entry -> entry.download().file()))
                        .toList());
    }

    /** Adds a finding for each download that no setting provides. */
    void report(ProfileSource source, Mirrors mirrors, FindingCollector findings) {
        for (Entry entry : entries) {
            NodeDownload download = entry.download();
            if (mirrors.settingOf(download) == null) {
                Template file = source.templates().stream()
                        .filter(template -> template.path().equals(download.file()))
                        .findFirst()
                        .orElse(null);
                String example = entry.cloudProviders().getFirst() + ", Kubernetes "
                        + entry.kubernetesVersions().getFirst();
                findings.add(
                        LintRuleViolation.of(
                                "air-gap." + download.kind().wireName(), download.value(), download.registry()),
                        source.positionOf(file == null ? "spec" : file.textField()),
                        file == null ? "spec (" + download.file() + ")" : file.label(),
                        new Evidence(example, 1, download.line(), ""));
            }
        }
    }
}
