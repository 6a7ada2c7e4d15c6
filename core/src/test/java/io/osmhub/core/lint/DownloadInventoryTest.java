package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.airgap.Mirrors;
import io.osmhub.core.airgap.NodeDownload;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.DownloadInventory.Entry;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.language.TemplateLanguage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nodes download, of all shipped profiles and OSM's. */
final class DownloadInventoryTest {
    private static final Path SHIPPED =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("deploy/packaging/manifests/profiles");
    private static final MatrixFilter ONE_VERSION = MatrixFilter.of(List.of("1.34"));

    private static final String MIRRORED = """
            provisioning:
              airGapped: true
              containerRuntime: {pauseImage: registry.example.org/pause:3.10}
              registries: {mirrors: [{registry: registry.example.org, endpoints: [{url: https://mirror.example.org}]}]}
              downloads:
                kubernetes: https://files.example.org/kubernetes
                cniPlugins: https://files.example.org/cni
                criTools: https://files.example.org/cri-tools
                containerd: https://files.example.org/containerd
                osPackages: https://files.example.org/packages
            """;

    /** For each file of a default profile the list beside their sources. */
    private static @Nullable String declared(OperatingSystemProfile.Spec spec) {
        return spec.templateEngine() == TemplateLanguage.HANDLEBARS
                ? text(SHIPPED.resolve("../../profiles/src/main/profiles/downloads.yaml"))
                : null;
    }

    private static Linter.AirGap airGap(Provisioning settings) {
        return new Linter.AirGap(settings, DownloadInventoryTest::declared);
    }

    static Stream<Path> shipped() {
        return yaml(SHIPPED);
    }

    private static Stream<Path> yaml(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyDownloadOfAShippedProfileIsDeclared(Path file) {
        DownloadInventory inventory = inventory(file, MatrixFilter.ALL, settings("{}"));

        assertThat(values(inventory, DownloadKind.UNRESOLVED)).isEmpty();
        for (String version : List.of("1.31", "1.37")) {
            for (String architecture : List.of("amd64", "arm64")) {
                assertThat(entry(
                                inventory,
                                "https://dl.k8s.io/v" + version + ".2/bin/linux/" + architecture + "/kubelet"))
                        .satisfies(entry -> assertThat(entry.checksum()).endsWith("/kubelet.sha256"))
                        .satisfies(
                                entry -> assertThat(entry.kubernetesVersions()).containsExactly(version));
            }
        }
        assertThat(values(inventory, DownloadKind.URL))
                .anyMatch(url -> url.contains("/cni-plugins-linux-arm64-"))
                .anyMatch(url -> url.contains("/crictl-v1.35.0-linux-amd64.tar.gz"));
        assertThat(values(inventory, DownloadKind.IMAGE)).containsExactly("registry.k8s.io/pause");
        if (inventory.operatingSystem().equals("flatcar")) {
            assertThat(values(inventory, DownloadKind.UPDATE_SERVER)).hasSize(1);
            assertThat(values(inventory, DownloadKind.PACKAGE)).isEmpty();
        } else {
            assertThat(values(inventory, DownloadKind.PACKAGE)).contains("socat", "ethtool");
            assertThat(values(inventory, DownloadKind.PACKAGE_SOURCE))
                    .contains("repositories of the " + inventory.operatingSystem() + " image");
        }
    }

    @Test
    void packagesOfOneProviderAreListedWithIt() {
        DownloadInventory inventory = inventory(SHIPPED.resolve("osp-ubuntu.yaml"), MatrixFilter.ALL, settings("{}"));

        assertThat(entry(inventory, "open-iscsi").cloudProviders()).containsExactly("nutanix", "openstack");
        assertThat(values(inventory, DownloadKind.PACKAGE_SOURCE)).contains("https://download.docker.com/linux/ubuntu");
    }

    /** KubeOne always names the pause image, by default the public one. */
    @Test
    void aPauseImageInAPublicRegistryIsNotAMirror() {
        String named = MIRRORED.replace("registry.example.org/pause:3.10", "registry.k8s.io/pause:3.10");

        assertThat(lint(SHIPPED.resolve("osp-ubuntu.yaml"), settings(named)))
                .extracting(LintFinding::what)
                .containsOnly("nodes download image registry.k8s.io/pause:3.10");
        assertThat(lint(
                        SHIPPED.resolve("osp-ubuntu.yaml"),
                        settings(named.replace(
                                "mirrors: [{registry: registry.example.org", "mirrors: [{registry: registry.k8s.io"))))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void aShippedProfileWithAllMirrorsContactsNothingElse(Path file) {
        Provisioning settings = settings(MIRRORED);

        DownloadInventory inventory = inventory(file, MatrixFilter.ALL, settings);

        assertThat(inventory.entries()).isNotEmpty();
        assertThat(inventory.entries().stream()
                        .map(Entry::download)
                        .filter(it -> new Mirrors(settings).settingOf(it) == null))
                .extracting(NodeDownload::kind)
                .isSubsetOf(DownloadKind.UPDATE_SERVER);
        assertThat(lint(file, settings))
                .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(LintSeverity.INFO));
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void aShippedProfileInAnAirGapWithoutMirrorsDownloadsOnlyWhatContainerdPulls(Path file) {
        assertThat(lint(file, settings("provisioning: {airGapped: true}")))
                .filteredOn(finding -> finding.severity() == LintSeverity.ERROR)
                .extracting(LintFinding::what)
                .containsExactly("nodes download image registry.k8s.io/pause");
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void aProxyLeadsToEverything(Path file) {
        assertThat(lint(file, settings("provisioning: {proxy: {httpProxy: 'http://proxy.example.org:3128'}}")))
                .isEmpty();
    }

    @Test
    void downloadsOfOtherProfilesAreFoundByPatternWithTheirVariables() {
        DownloadInventory rhel =
                inventory(OsmFixtures.shared().resolve("osps/osp-rhel.yaml"), ONE_VERSION, settings("{}"));

        assertThat(values(rhel, DownloadKind.UNRESOLVED))
                .anyMatch(url -> url.startsWith("https://dl.k8s.io/") && url.contains("$"));
        assertThat(values(rhel, DownloadKind.URL)).isNotEmpty().noneMatch(url -> url.contains("$"));
    }

    @Test
    void osmsProfileIgnoresMirrorsSoThatTheLinterNamesEachDownload() {
        Path file = OsmFixtures.shared().resolve("osps/osp-ubuntu.yaml");

        List<LintFinding> findings = lint(file, settings(MIRRORED));

        assertThat(findings)
                .extracting(LintFinding::what)
                .anyMatch(what -> what.startsWith("cannot determine what is downloaded: https://dl.k8s.io/"))
                .anyMatch(what -> what.startsWith("cannot determine what is downloaded: https://download.docker.com/"))
                .doesNotContain("nodes download image registry.example.org/pause:3.10");
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.field()).startsWith("spec.");
            assertThat(finding.position().line()).isPositive();
            assertThat(finding.cure()).contains("provisioning.");
        });
        assertThat(lint(file, settings("provisioning: {proxy: {httpProxy: 'http://proxy.example.org:3128'}}")))
                .isEmpty();
    }

    private static DownloadInventory inventory(Path file, MatrixFilter choice, Provisioning settings) {
        return new Linter(ScriptChecker.NONE, System::nanoTime)
                .downloads(file.toString(), text(file), choice, airGap(settings))
                .getFirst();
    }

    private static List<LintFinding> lint(Path file, Provisioning settings) {
        return new Linter(ScriptChecker.NONE, System::nanoTime)
                        .lint(
                                file.toString(),
                                text(file),
                                ONE_VERSION,
                                airGap(settings),
                                Linter.Extensions.NONE,
                                List.of())
                        .stream()
                        .flatMap(report -> report.findings().stream())
                        .filter(finding -> finding.rule() == LintRule.AIR_GAP)
                        .toList();
    }

    private static Entry entry(DownloadInventory inventory, String value) {
        return inventory.entries().stream()
                .filter(it -> it.download().value().equals(value))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> values(DownloadInventory inventory, DownloadKind kind) {
        return inventory.entries().stream()
                .map(Entry::download)
                .filter(it -> it.kind() == kind)
                .map(NodeDownload::value)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Provisioning settings(String yaml) {
        SettingsLayer layer =
                SettingsReader.readFile(YamlDocumentReader.read("tenant.yaml", yaml, Reason.SettingsInvalid)
                        .getFirst());
        return new LayeredSettings(layer, SettingsLayer.EMPTY)
                .toTenantSettings()
                .provisioning();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
