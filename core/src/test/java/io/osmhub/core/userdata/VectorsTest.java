package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Documents whose hashes are known from OSM. */
class VectorsTest {
    private static final String DOCKER_HOSTS = "/etc/containerd/certs.d/docker.io/hosts.toml";

    private static String sha256(String document) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(document.getBytes(UTF_8)));
    }

    @Test
    void makesTheCloudInitDocumentOfAnUbuntuOnGce() throws Exception {
        Config config = new Config(
                List.of(),
                List.of(new File(
                        "/b",
                        755,
                        "#!/bin/sh\n\nexport P=http://p:1\ncurl https://foo.bar:6443/md1-ns1-provisioning-config top-secret\n",
                        "b64")),
                List.of(" k1 ", "k2", "k1"),
                new CloudInitModules(List.of(), Map.of(), List.of("/b"), Map.of(), ""));

        String document = UserDataGenerator.generateDocument(
                new UserDataInput(config, "cloud-init", "ubuntu", "gce", "md1", true, true));

        assertThat(document).hasSize(462);
        assertThat(sha256(document)).isEqualTo("20e0d76cf6998e1952d6fe25934a73fbc4fd0077b21b7f2ef20399722bdf3122");
    }

    @Test
    void makesTheIgnitionDocumentOfAFlatcarOnVsphere() throws Exception {
        Config config = new Config(
                List.of(new SystemdUnit(
                        "b.service",
                        true,
                        null,
                        "[Install]\nWantedBy=multi-user.target\n\n[Service]\nExecStart=/b <x>\n",
                        List.of())),
                List.of(new File("/net", 644, "\nAddress=1.2.3.4/24\nDNS=8.8.8.8\n\n", "")),
                List.of("k1"),
                null);

        String document = UserDataGenerator.generateDocument(
                new UserDataInput(config, "ignition", "flatcar", "vsphere", "md1", false, true));

        assertThat(document).hasSize(599);
        assertThat(sha256(document)).isEqualTo("44f60a6557b1c9d05b29629c093c18ad4bd68ec0626c64b7b4690f862aaed8cc");
    }

    @Test
    void makesTheCloudInitDocumentOfARhelOnAws() throws Exception {
        CloudInitModules modules = CloudInitModules.NONE.withRhSubscription(
                Map.of("auto-attach", "true", "password", "", "username", "u"));
        Config config = new Config(List.of(), List.of(), List.of(), modules);

        String document = UserDataGenerator.generateDocument(
                new UserDataInput(config, "cloud-init", "rhel", "aws", "md1", false, true));

        assertThat(document).hasSize(138);
        assertThat(sha256(document)).isEqualTo("a37a84cb87dd793711309672f573c047c536cc162365f07267fdb2e56b4e8868");
    }

    @Test
    void makesTheProvisioningDocumentsBesides() throws Exception {
        String hosts =
                "server = \"https://registry-1.docker.io\"\n\n[host.\"https://registry-1.docker.io\"]\ncapabilities = [\"pull\", \"resolve\"]\n";
        Config flatcar = new Config(
                List.of(),
                List.of(new File("/s", 700, "a & b\n\n\n", "b64"), new File(DOCKER_HOSTS, 600, hosts, "")),
                List.of("k1"),
                null);
        CloudInitModules modules = new CloudInitModules(
                List.of(),
                Map.of("auto-attach", "true", "password", "", "username", "u"),
                List.of(),
                Map.of("e", Map.of("name", "E", "baseurl", "http://x")),
                "/r");
        Config rhel = new Config(
                List.of(),
                List.of(new File("/k", 4755, "x", ""), new File(DOCKER_HOSTS, 600, hosts, "")),
                List.of(),
                modules);

        assertThat(sha256(UserDataGenerator.generateDocument(
                        new UserDataInput(flatcar, "ignition", "flatcar", "vsphere", "md1", false, false))))
                .isEqualTo("0217885c9a06fca2112932ae42ff2f2c87ac5f3147ba31c69477d451ba474dcc");
        assertThat(sha256(UserDataGenerator.generateDocument(
                        new UserDataInput(rhel, "cloud-init", "rhel", "aws", "md1", false, false))))
                .isEqualTo("f345dcfd99740a51e62ba61350fa5d2dd8882f56819bac0ab2b75e17384531f3");
    }
}
