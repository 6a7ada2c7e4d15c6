package io.osmhub.deploy.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.kkp.KkpSettings;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.deploy.dropin.GoFlags.Result;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The settings derived from KKP's objects are those that OSM's command line means. */
class KkpArgumentsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CASES = 2_000;

    private final Random random = new Random(7);

    @Test
    void settingsAreThoseOfTheParsedArguments() {
        int set = 0;
        for (int i = 0; i < CASES; i++) {
            ObjectNode cluster = object("Cluster", "c");
            ObjectNode seed = object("Seed", "s");
            ObjectNode configuration = object("KubermaticConfiguration", "k");
            fill(cluster, seed, configuration);

            KkpSettings settings = KkpSettings.read(
                    SourceDocument.of(ProblemObject.input("cluster"), cluster),
                    List.of(SourceDocument.of(ProblemObject.input("seed"), seed)),
                    SourceDocument.of(ProblemObject.input("configuration"), configuration));

            SettingsLayer derived = settings.layer();
            assertThat(ControllerFlags.read(settings.words()))
                    .as("%s %s", cluster, settings.words())
                    .isInstanceOfSatisfying(Result.Read.class, read -> {
                        SettingsLayer parsed = ((ControllerFlags) read.flags()).settings();
                        Setting.ALL.forEach(setting -> assertThat(derived.get(setting))
                                .as("%s of %s", setting.path(), settings.words())
                                .isEqualTo(parsed.get(setting)));
                    });
            set += (int) Setting.ALL.stream().filter(derived::isSet).count();
            Setting.ALL.stream().filter(derived::isSet).forEach(setting -> assertThat(derived.origins(setting))
                    .as(setting.path())
                    .isNotEmpty());
        }

        assertThat(set).isGreaterThan(CASES * 4);
    }

    private static ObjectNode object(String kind, String name) {
        ObjectNode object = JSON.createObjectNode()
                .put("apiVersion", "kubermatic.k8c.io/v1")
                .put("kind", kind);
        object.putObject("metadata").put("name", name).putObject("annotations");
        object.putObject("spec");
        return object;
    }

    private void fill(ObjectNode cluster, ObjectNode seed, ObjectNode configuration) {
        ObjectNode spec = (ObjectNode) cluster.get("spec");
        ObjectNode cloud = spec.putObject("cloud").put("dc", "d");
        cloud.putObject(pick("aws", "openstack", "vsphere"));
        spec.put("version", pick("1.29.1", "1.30.0", "1.35.2"));
        ObjectNode network = spec.putObject("clusterNetwork").put("nodeLocalDNSCacheEnabled", random.nextBoolean());
        network.putObject("services").putArray("cidrBlocks").add(pick("10.0.7.250/30", "fd00::1:ff/120", "0.0.0.0/0"));
        if (random.nextBoolean()) {
            spec.put("containerRuntime", pick("containerd", ""));
        }
        spec.putObject("features").put("externalCloudProvider", random.nextBoolean());
        if (random.nextBoolean()) {
            containerRuntime(spec.putObject("containerRuntimeOpts"));
        }
        if (random.nextBoolean()) {
            proxy(spec.putObject("componentsOverride")
                    .putObject("operatingSystemManager")
                    .putObject("proxy"));
        }
        if (random.nextInt(4) == 0) {
            spec.putObject("imagePullSecret").put("name", "pull").put("namespace", pick("kube-system", ""));
        }
        if (random.nextBoolean()) {
            ((ObjectNode) cluster.at("/metadata/annotations")).put("csi-migration.k8c.io/migration-needed", "");
        }
        cluster.putObject("status")
                .putObject("conditions")
                .putObject("CSIKubeletMigrationCompleted")
                .put("status", pick("True", "False"));
        ObjectNode node = ((ObjectNode) seed.get("spec"))
                .putObject("datacenters")
                .putObject("d")
                .putObject("node");
        containerRuntime(node);
        proxy(node);
        proxy(((ObjectNode) seed.get("spec")).putObject("proxySettings"));
        ObjectNode configured = (ObjectNode) configuration.get("spec");
        configured.putObject("featureGates").put("DynamicResourceAllocation", random.nextBoolean());
        configured
                .putObject("userCluster")
                .putObject("operatingSystemManager")
                .put("disableDefaultOperatingSystemProfiles", random.nextBoolean());
    }

    private void containerRuntime(ObjectNode options) {
        if (random.nextBoolean()) {
            options.putArray("insecureRegistries").add("r:1").add(pick("-x", "a b", " s "));
        }
        if (random.nextBoolean()) {
            options.putArray("registryMirrors").add(pick("m.example.test", "quay.io=https://m/x?y=z", "http://a=b"));
        }
        options.put("pauseImage", pick("", "pause:3.10", "-pause", "=p"));
        options.put("enableNonRootDeviceOwnership", random.nextBoolean());
        ObjectNode registries = options.putObject("containerdRegistryMirrors").putObject("registries");
        for (String registry : List.of("docker.io", "*", "Z", "a", "é:5000")) {
            if (random.nextInt(3) == 0) {
                registries
                        .putObject(registry)
                        .putArray("mirrors")
                        .add(pick("https://a?kubermatic=override_path%3Dtrue", "plain"))
                        .add("https://b=c");
            }
        }
    }

    private void proxy(ObjectNode proxy) {
        proxy.put("httpProxy", pick("", "http://p:3128", "-"));
        proxy.put("noProxy", pick("", ".svc, x", "--n=1"));
    }

    private String pick(String... values) {
        return values[random.nextInt(values.length)];
    }
}
