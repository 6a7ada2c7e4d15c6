package io.osmhub.core.kkp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases in resources/kkp hold KKP's objects and the arguments that KKP's own code derives from them. */
class KkpSettingsTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", ".."));
    private static final Path CASES = ROOT.resolve("core/src/test/resources/kkp");
    private static final Path PAGE = ROOT.resolve("docs/reference/kkp.md");

    /** The class of each error text of KKP, and the field that we report. */
    private static final Map<String, String> ERROR_CLASSES = Map.of(
            "failed to get datacenter", "spec.cloud.dc: datacenter missing",
            "empty CIDRBlocks", "cidrBlocks: services block missing",
            "invalid CIDR address", "cidrBlocks[0]: services block not a CIDR");

    static Stream<Path> cases() throws IOException {
        try (Stream<Path> folders = Files.list(CASES)) {
            return folders.filter(Files::isDirectory).sorted().toList().stream();
        }
    }

    private static SourceDocument document(Path file) throws IOException {
        return document(file.getFileName().toString(), Files.readString(file));
    }

    private static SourceDocument document(String source, String yaml) {
        return YamlDocumentReader.read(source, yaml, Reason.SettingsInvalid).getFirst();
    }

    private static KkpSettings settings(Path folder) throws IOException {
        Path configuration = folder.resolve("config.yaml");
        return KkpSettings.read(
                document(folder.resolve("cluster.yaml")),
                List.of(document(folder.resolve("seed.yaml"))),
                Files.exists(configuration) ? document(configuration) : null);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void argumentsAreThoseOfKkp(Path folder) throws IOException {
        Path error = folder.resolve("expected-error.txt");
        if (Files.exists(error)) {
            String expected = Files.readString(error);
            assertThatThrownBy(() -> settings(folder))
                    .isInstanceOf(TenantMistake.class)
                    .hasMessageContaining(ERROR_CLASSES.entrySet().stream()
                            .filter(entry -> expected.contains(entry.getKey()))
                            .findFirst()
                            .orElseThrow()
                            .getValue());
            return;
        }

        assertThat(settings(folder).words()).isEqualTo(Files.readAllLines(folder.resolve("expected-args.txt")));
    }

    @Test
    void everyFileIsUsed() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path folder : (Iterable<Path>) cases()::iterator) {
            names.add(folder.getFileName().toString());
            try (Stream<Path> files = Files.list(folder)) {
                List<String> held = files.map(file -> file.getFileName().toString())
                        .sorted()
                        .toList();
                List<String> used = new ArrayList<>(List.of("cluster.yaml", "seed.yaml"));
                used.add(held.contains("expected-args.txt") ? "expected-args.txt" : "expected-error.txt");
                if (held.contains("config.yaml")) {
                    used.add("config.yaml");
                }
                assertThat(held).as(folder.toString()).isEqualTo(List.copyOf(new TreeSet<>(used)));
            }
        }

        List<String> index = Files.readAllLines(CASES.resolve("INDEX.tsv")).stream()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf('\t')))
                .toList();
        assertThat(names).hasSize(32).isEqualTo(index);
        try (Stream<Path> all = Files.list(CASES)) {
            assertThat(all).hasSize(33);
        }
    }

    // Rules beyond the cases

    private static KkpSettings of(String spec, String node) {
        return of(spec, node, null);
    }

    private static KkpSettings of(String spec, String node, @Nullable String configuration) {
        return KkpSettings.read(
                cluster("{cloud: {dc: d}, " + spec + "}", "{}"),
                List.of(seed("s", "{datacenters: {d: {node: {" + node + "}}}}")),
                configuration == null
                        ? null
                        : document("config.yaml", "kind: KubermaticConfiguration\n" + configuration));
    }

    private static SourceDocument cluster(String spec, String annotations) {
        return document(
                "cluster.yaml",
                "apiVersion: kubermatic.k8c.io/v1\nkind: Cluster\nmetadata: {name: c, annotations: " + annotations
                        + "}\nspec: " + spec
                        + "\nstatus: {conditions: {CSIKubeletMigrationCompleted: {status: 'True'}}}");
    }

    private static SourceDocument seed(String name, String spec) {
        return document(
                "seed.yaml",
                "apiVersion: kubermatic.k8c.io/v1\nkind: Seed\nmetadata: {name: " + name + "}\nspec: " + spec);
    }

    private static @Nullable String value(KkpSettings settings, String flag) {
        return settings.arguments().stream()
                .filter(argument -> argument.flag().equals(flag))
                .findFirst()
                .map(KkpSettings.Argument::value)
                .orElse(null);
    }

    private static KkpSettings dns(String block) {
        return of("clusterNetwork: {nodeLocalDNSCacheEnabled: false, services: {cidrBlocks: ['" + block + "']}}", "");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.250/32, 10.0.0.4",
        "10.0.255.255/32, 10.0.255.9",
        "10.1.2.3/0, 0.0.0.10",
        "10.1.2.3/08, 10.0.0.10",
        "fd00::ff/128, fd00::9",
        "fd00:1:2:3::ffff/112, fd00:1:2:3::a",
        "::ffff:10.1.2.3/120, 10.1.2.10",
    })
    void theDnsAddressIsTheNetworkPlusTenInTheLastByte(String block, String address) {
        assertThat(value(dns(block), "-cluster-dns")).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "fd00::/129", "010.0.0.0/8", "x/8", "10.0.0.0/-1"})
    void aBadServicesBlockIsAnErrorOfItsOwnClass(String block) {
        assertThatThrownBy(() -> dns(block))
                .hasMessageStartingWith(
                        "Cluster c, spec.clusterNetwork.services.cidrBlocks[0]: services block not a CIDR");
    }

    @Test
    void theContainerdSettingsOfADatacenterAreHiddenByPresenceButNotByNull() {
        String node = "enableNonRootDeviceOwnership: true,"
                + " containerdRegistryMirrors: {registries: {b: {mirrors: [x, w]}, a: {}, é: {mirrors: [u]}, z: {mirrors: [v]}}}";

        assertThat(of("containerRuntimeOpts: null", node).words())
                .endsWith(
                        "-device-ownership-from-security-context",
                        "-node-containerd-registry-mirrors=b=x",
                        "-node-containerd-registry-mirrors=b=w",
                        "-node-containerd-registry-mirrors=z=v",
                        "-node-containerd-registry-mirrors=é=u");
        assertThat(of("containerRuntimeOpts: {pauseImage: ''}", node).arguments())
                .extracting(KkpSettings.Argument::flag)
                .doesNotContain("-device-ownership-from-security-context", "-node-containerd-registry-mirrors");
    }

    @Test
    void aProxyIsSelectedFieldByField() {
        KkpSettings settings = KkpSettings.read(
                cluster(
                        "{cloud: {dc: d}, componentsOverride: {operatingSystemManager: {proxy: {httpProxy: '', noProxy: c}}}}",
                        "{}"),
                List.of(
                        seed(
                                "s",
                                "{datacenters: {d: {node: {noProxy: d}}}, proxySettings: {httpProxy: 'http://s', noProxy: s}}")),
                null);

        assertThat(value(settings, "-node-http-proxy")).isEqualTo("http://s");
        assertThat(value(settings, "-node-no-proxy")).isEqualTo("c");
        assertThat(settings.layer().origins(Setting.HTTP_PROXY)).hasToString("[Seed s spec.proxySettings.httpProxy]");
        assertThat(settings.layer().origins(Setting.NO_PROXY))
                .hasToString("[Cluster c spec.componentsOverride.operatingSystemManager.proxy.noProxy]");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "1.29.9,  vsphere,   InTreePluginvSphereUnregister=true",
                "v1.29,   openstack, InTreePluginOpenStackUnregister=true",
                "2.3.0,   openstack, InTreePluginOpenStackUnregister=true",
                "1.30.0,  openstack, none",
                "1.29.9,  aws,       none",
            })
    void gatesOfAMigrationDependOnProviderAndMinorVersion(String version, String provider, @Nullable String gates) {
        KkpSettings settings = KkpSettings.read(
                cluster(
                        "{version: '" + version + "', cloud: {dc: d, " + provider + ": {}}}",
                        "{csi-migration.k8c.io/migration-needed: ''}"),
                List.of(seed("s", "{datacenters: {d: {}}}")),
                null);

        assertThat(value(settings, "-node-kubelet-feature-gates")).isEqualTo(gates);
    }

    @Test
    void gatesAreAUnionOfBothSources() {
        KkpSettings settings = KkpSettings.read(
                cluster(
                        "{version: 1.29.1, cloud: {dc: d, vsphere: {}}}",
                        "{csi-migration.k8c.io/migration-needed: 'no'}"),
                List.of(seed("s", "{datacenters: {d: {}}}")),
                document(
                        "config.yaml",
                        "kind: KubermaticConfiguration\nmetadata: {name: k}\nspec: {featureGates: {DynamicResourceAllocation: true}}"));

        assertThat(value(settings, "-node-kubelet-feature-gates"))
                .isEqualTo("InTreePluginvSphereUnregister=true,DynamicResourceAllocation=true");
        assertThat(settings.layer().origins(Setting.FEATURE_GATES))
                .extracting(Object::toString)
                .containsExactly(
                        "Cluster c metadata.annotations[csi-migration.k8c.io/migration-needed]",
                        "KubermaticConfiguration k spec.featureGates.DynamicResourceAllocation");
    }

    @Test
    void defaultProfilesAreSwitchedOffByTheConfiguration() {
        KkpSettings settings = of(
                "", "", "spec: {userCluster: {operatingSystemManager: {disableDefaultOperatingSystemProfiles: true}}}");

        assertThat(settings.words()).endsWith("-disable-default-osps");
        assertThat(settings.layer().get(Setting.INSTALL_DEFAULTS).asText()).isEqualTo("None");
    }

    @Test
    void settingsThatKkpDoesNotPassAreInherited() {
        SettingsLayer layer =
                of("imagePullSecret: {name: pull}", "pauseImage: p").layer();

        assertThat(Setting.ALL.stream().filter(layer::isSet))
                .containsExactlyInAnyOrder(Setting.CLUSTER_DNS, Setting.PAUSE_IMAGE, Setting.REGISTRY_CREDENTIALS);
        assertThat(layer.get(Setting.REGISTRY_CREDENTIALS)).hasToString("{\"namespace\":\"\",\"name\":\"pull\"}");
        assertThat(layer.origins(Setting.PAUSE_IMAGE)).hasToString("[Seed s spec.datacenters.d.node.pauseImage]");
        assertThat(layer.origins(Setting.CLUSTER_DNS))
                .hasToString("[Cluster c spec.clusterNetwork.nodeLocalDNSCacheEnabled]");
    }

    @Test
    void whatOsmRejectsIsReportedAtKkpsField() {
        assertThatThrownBy(() -> of("containerRuntime: docker", "").layer())
                .hasMessage(
                        "Cluster c, spec.containerRuntime: docker not supported; containerd is the only supported container runtimes");
    }

    @Test
    void reportsAllMistakesWithTheirObjects() {
        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> KkpSettings.read(
                        cluster(
                                "{cloud: {dc: d, aws: {}, gcp: {}}, clusterNetwork: {nodeLocalDNSCacheEnabled: false}, containerRuntime: 1}",
                                "{}"),
                        List.of(
                                seed("s", "{datacenters: {d: {node: {pauseImage: [p]}}}}"),
                                seed("t", "{datacenters: {d: {}}}")),
                        document("config.yaml", "kind: KubermaticConfiguration\nspec: {featureGates: x}")));

        assertThat(mistake.findings())
                .extracting(Object::toString)
                .containsExactlyInAnyOrder(
                        "Cluster c, spec.cloud.dc: datacenter d is ambiguous: it is in Seed s and Seed t; keep it in the Seed of this Cluster only",
                        "Cluster c, spec.cloud: more than one provider: aws, gcp; keep one of them",
                        "Cluster c, spec.containerRuntime: must be a string, not a number; put it in quotes",
                        "Cluster c, spec.clusterNetwork.services.cidrBlocks: services block missing: the list is empty; add the network of the services",
                        "Seed s, spec.datacenters.d.node.pauseImage: must be a string, not a list",
                        "KubermaticConfiguration, spec.featureGates: must be an object, not a string");
    }

    @Test
    void thePageHasEveryFlagInOrderWithItsSetting() throws IOException {
        List<String> documented = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("| `-")) {
                String[] cells = line.split(" *\\| *");
                String flag = cells[1].replace("`", "");
                documented.add(flag);
                Setting setting = Setting.ofFlag(flag);
                assertThat(cells[2]).as(flag).isEqualTo(setting == null ? "-" : "`" + setting.path() + "`");
            }
        }

        for (Path folder : (Iterable<Path>) cases()::iterator) {
            if (Files.exists(folder.resolve("expected-args.txt"))) {
                assertThat(settings(folder).arguments().stream()
                                .map(KkpSettings.Argument::flag)
                                .distinct())
                        .isSubsetOf(documented)
                        .isSortedAccordingTo(Comparator.comparingInt(documented::indexOf));
            }
        }
    }
}
