package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.corpus.PipelineRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From profile and MachineDeployment to documents whose length and SHA-256 are known from OSM. */
class PeerVectorsTest {
    private static final String CONFIG = """
            namespace: kube-system
            kubernetesCACert: "CA-CERT\\n"
            apiServerToken: top-secret
            bootstrapToken: {id: abcdef, secret: 0123456789abcdef}
            clusterInfoKubeconfig: |
              apiVersion: v1
              kind: Config
              clusters:
              - name: ""
                cluster: {server: "https://foo.bar:6443", certificate-authority-data: Zm9v}
            flags:
              cluster-dns: 10.0.0.10,fd00::a
              node-kubelet-feature-gates: RotateKubeletServerCertificate=true,A=false
              node-no-proxy: ""
            """;

    private static final String MACHINE_DEPLOYMENT = """
            metadata:
              name: md1
              namespace: ns1
              annotations: {k8c.io/operating-system-profile: p}
            spec:
              template:
                spec:
                  versions: {kubelet: 1.33.0}
                  providerSpec:
                    value: %s
            """;

    private static final String PROFILE = """
            metadata: {name: p}
            spec:
              osName: %s
              osVersion: "1"
              version: v1.0.0
              provisioningUtility: %s
              supportedCloudProviders: [{name: %s}]
            """;

    private static void verify(PipelineResult result, String file, int bytes, String sha256) throws Exception {
        assertThat(result.findings()).isEmpty();
        byte[] document =
                Objects.requireNonNullElse(result.files().get(file), "").getBytes(UTF_8);
        assertThat(document).as(new String(document, UTF_8)).hasSize(bytes);
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(document)))
                .isEqualTo(sha256);
    }

    @Test
    void rendersAnUbuntuOnGce() throws Exception {
        String config = CONFIG + """
                  pause-image: reg/pause:1
                  node-registry-mirrors: m.local,quay.io=http://q.local
                  node-insecure-registries: 10.0.0.1:5000
                  node-http-proxy: http://p:1
                """;
        String value =
                "{cloudProvider: gce, cloudProviderSpec: {}, operatingSystem: ubuntu, operatingSystemSpec: {distUpgradeOnBoot: true}, sshPublicKeys: [' k1 ', k2, k1]}";
        String profile = PROFILE.formatted("ubuntu", "cloud-init", "gce") + """
                  bootstrapConfig:
                    templates:
                      px: "{{- if .HTTPProxy }}\\nexport P={{ .HTTPProxy }}\\n{{- end }}\\n"
                    files:
                    - path: /b
                      permissions: 755
                      content:
                        inline:
                          encoding: b64
                          data: "#!/bin/sh\\n{{- template \\"px\\" }}\\ncurl {{ .ServerURL }}/{{ .SecretName }} {{ .Token }}\\n"
                    modules: {runcmd: [/b]}
                  provisioningConfig:
                    files:
                    - path: /dns
                      content:
                        inline:
                          data: "{{- range .ClusterDNSIPs }}\\n- \\"{{ . }}\\"\\n{{- end }}\\n{{ .KubeVersion }} {{ .BootstrapKubeconfigSecretName }}\\n"
                    supportedContainerRuntimes:
                    - name: containerd
                      files:
                      - path: /c.toml
                        permissions: 600
                        content:
                          inline:
                            data: "{{ .ContainerRuntimeConfig }}\\n"
                """;

        PipelineResult result =
                new PipelineRun().run(PipelineCase.of(config, MACHINE_DEPLOYMENT.formatted(value), profile));

        verify(result, "bootstrap.txt", 462, "20e0d76cf6998e1952d6fe25934a73fbc4fd0077b21b7f2ef20399722bdf3122");
        verify(result, "provisioning.txt", 1864, "1beebe78d2188ec8f2627474a90c1f19336ebc6906ab13e6055f18f71c7cbebc");
        assertThat(result.files().get("osc.yaml"))
                .contains(
                        "\"k8c.io/mdannotations-hash\":\"bc1064563aa4429509fb443cc458b8073a180dd8f85b42d3c34a80eaa0f7b7a0\"",
                        "\"k8c.io/machine-deployment-revision\":\"\"",
                        "\"k8c.io/osp-version\":\"v1.0.0\"",
                        "\"name\":\"md1-ns1-config\"");
    }

    @Test
    void rendersAFlatcarOnVsphereWithAStaticNetwork() throws Exception {
        String value =
                "{cloudProvider: vsphere, cloudProviderSpec: {}, operatingSystem: flatcar, operatingSystemSpec: {disableAutoUpdate: true}, sshPublicKeys: [k1], network: {cidr: 1.2.3.4/24, gateway: 1.2.3.1, dns: {servers: [8.8.8.8]}}}";
        String profile = PROFILE.formatted("flatcar", "ignition", "vsphere") + """
                  bootstrapConfig:
                    files:
                    - path: /net
                      content:
                        inline:
                          data: "{{- if .NetworkConfig }}\\nAddress={{ .NetworkConfig.CIDR }}\\n{{ range .NetworkConfig.DNS.Servers }}DNS={{ . }}\\n{{ end }}\\n{{- end }}\\n"
                    units:
                    - name: b.service
                      enable: true
                      content: "[Install]\\nWantedBy=multi-user.target\\n\\n[Service]\\nExecStart=/b <x>\\n"
                  provisioningConfig:
                    files:
                    - path: /s
                      permissions: 700
                      content:
                        inline:
                          encoding: b64
                          data: "a & b\\n\\n\\n"
                """;

        PipelineResult result = new PipelineRun()
                .run(PipelineCase.of(
                        CONFIG + "  external-cloud-provider: true\n", MACHINE_DEPLOYMENT.formatted(value), profile));

        verify(result, "bootstrap.txt", 599, "44f60a6557b1c9d05b29629c093c18ad4bd68ec0626c64b7b4690f862aaed8cc");
        verify(result, "provisioning.txt", 611, "0217885c9a06fca2112932ae42ff2f2c87ac5f3147ba31c69477d451ba474dcc");
    }

    @Test
    void rendersARhelOnAwsWithNothingInItsFirstPhase() throws Exception {
        String value =
                "{cloudProvider: aws, cloudProviderSpec: {}, operatingSystem: rhel, operatingSystemSpec: {rhelSubscriptionManagerUser: u, attachSubscription: true}}";
        String profile = PROFILE.formatted("rhel", "cloud-init", "aws") + """
                  bootstrapConfig: {}
                  provisioningConfig:
                    files:
                    - path: /k
                      permissions: 4755
                      content: {inline: {data: x}}
                    modules:
                      yum_repos: {e: {name: E, baseurl: "http://x"}}
                      yum_repo_dir: /r
                """;

        PipelineResult result =
                new PipelineRun().run(PipelineCase.of(CONFIG, MACHINE_DEPLOYMENT.formatted(value), profile));

        verify(result, "bootstrap.txt", 138, "a37a84cb87dd793711309672f573c047c536cc162365f07267fdb2e56b4e8868");
        verify(result, "provisioning.txt", 497, "f345dcfd99740a51e62ba61350fa5d2dd8882f56819bac0ab2b75e17384531f3");
    }

    @ParameterizedTest
    @CsvSource({
        "osp-ubuntu, ubuntu, aws, ubuntu-aws, 1.29.0, true, 3810, b6b464c85a1fbb92f6db75cb0e602df3c7615af387a6e69e82c35fc8dcb060e9",
        "osp-ubuntu, ubuntu, aws, ubuntu-aws, 1.29.0, false, 3810, b6b464c85a1fbb92f6db75cb0e602df3c7615af387a6e69e82c35fc8dcb060e9",
        "osp-ubuntu, ubuntu, openstack, ubuntu-openstack, 1.31.0, true, 3953, b5d844fc0c682bde798db737559a323fda0735f704bb6d51086f6a9d71229b9f",
        "osp-ubuntu, ubuntu, aws, kubelet-configuration, 1.31.0, false, 3870, e186c6bf373170a485251f4c300850a68b456096d5601d883a6a407d5fc8f91d",
        "osp-flatcar, flatcar, aws, flatcar-aws-containerd, 1.31.0, false, 2858, 47b959c4b826903b54798a5a7cf94e331d587748e522728c59daecb9a4d00f1e",
        "osp-rhel, rhel, azure, osp-rhel-azure, 1.31.0, false, 3868, 601814aa31a36877f8dbe9ee45cc03b739b25c47bdb533042d97a59721c9b6bc"
    })
    void rendersThePeersOwnProfiles(
            String profile,
            String operatingSystem,
            String provider,
            String name,
            String kubelet,
            boolean external,
            int bytes,
            String sha256)
            throws Exception {
        String config = CONFIG.substring(0, CONFIG.indexOf("flags:")) + """
                flags:
                  cluster-dns: 10.0.0.0
                  node-http-proxy: http://test-http-proxy.com
                  node-no-proxy: http://test-no-proxy.com
                  node-insecure-registries: 192.168.100.100:5000, 10.0.0.1:5000
                  pause-image: 192.168.100.100:5000/kubernetes/pause:v3.1
                  node-registry-mirrors: https://registry.docker-cn.com
                  external-cloud-provider: %s
                """.formatted(external);
        String machineDeployment = """
                metadata:
                  name: %s
                  namespace: kube-system
                  annotations:
                    k8c.io/operating-system-profile: %s
                    machinedeployment.clusters.k8s.io/revision: "1"
                spec:
                  template:
                    spec:
                      versions: {kubelet: %s}
                      providerSpec:
                        value:
                          cloudProvider: %s
                          cloudProviderSpec: {}
                          operatingSystem: %s
                          network: {ipFamily: IPv4}
                          sshPublicKeys: [ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAACAQDdOIhYmzCK5DSVLu3c]
                """.formatted(name, profile, kubelet, provider, operatingSystem);
        Path file = OsmFixtures.shared().resolve("osps/" + profile + ".yaml");

        PipelineResult result =
                new PipelineRun().run(PipelineCase.of(config, machineDeployment, Files.readString(file)));

        verify(result, "bootstrap.txt", bytes, sha256);
    }
}
