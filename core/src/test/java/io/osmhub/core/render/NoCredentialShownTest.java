package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.corpus.PipelineRun;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every secret input has a marker in it, and the inputs are broken in all ways that come to mind; no finding, no message and no
 * stored object may show the marker.
 */
class NoCredentialShownTest {
    private static final String MARKER = "Hunter2";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String CLUSTER_INFO = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: ""
              cluster: {server: "https://api.example.org:6443", certificate-authority-data: Zm9v}
            users:
            - name: u
              user: {token: Hunter2-of-cluster-info}
            """;
    private static final String REGISTRIES =
            "{\"auths\":{\"reg.local\":{\"username\":\"Hunter2u\",\"password\":\"Hunter2p\",\"auth\":\"Hunter2a\",\"identitytoken\":\"Hunter2i\"}}}";

    private static final Map<String, String> PROVIDER_SPECS = Map.of(
            "aws", "{'accessKeyId':'Hunter2','secretAccessKey':{'value':'Hunter2'},'vpcId':'v','subnetId':'s'}",
            "azure",
                    "{'tenantID':'t','clientID':'c','clientSecret':'Hunter2','subscriptionID':'s','assignAvailabilitySet':true}",
            "gce", "{'serviceAccount':'Hunter2=','zone':'z','tags':['a'],'multizone':true}",
            "openstack",
                    "{'identityEndpoint':'i','username':'u','password':'Hunter2','applicationCredentialSecret':'Hunter2','trustDevicePath':false,'nodeVolumeAttachLimit':3}",
            "vsphere",
                    "{'vsphereURL':{'secretKeyRef':{'namespace':'ns','name':'s','key':'url'}},'username':'u','password':'Hunter2','allowInsecure':{'secretKeyRef':{'namespace':'ns','name':'s','key':'password'}}}",
            "kubevirt", "{'auth':{'kubeconfig':{'value':'Hunter2'}}}");

    private static PipelineResult run(String machineDeployment, String profile, String clusterInfo, String registries) {
        String config = """
                kubernetesCACert: CA
                apiServerToken: Hunter2-fetch
                bootstrapToken: {id: abcdef, secret: Hunter2-bootstrap}
                clusterInfoKubeconfig: %s
                flags: {node-registry-credentials-secret: ns/registries}
                objects:
                - apiVersion: v1
                  kind: Secret
                  metadata: {namespace: ns, name: registries}
                  type: kubernetes.io/dockerconfigjson
                  stringData: {.dockerconfigjson: %s}
                - {apiVersion: v1, kind: Secret, metadata: {namespace: ns, name: s}, stringData: {url: "https://u:Hunter2@[x", password: Hunter2}}
                """.formatted(quoted(clusterInfo), quoted(registries));
        return new PipelineRun().run(PipelineCase.of(config, machineDeployment, profile));
    }

    private static String quoted(String text) {
        return JsonNodeFactory.instance.textNode(text).toString();
    }

    private static String machineDeployment(String provider, String operatingSystem, String kubelet, String spec) {
        return """
                metadata: {name: md, namespace: kube-system, annotations: {k8c.io/operating-system-profile: p}}
                spec:
                  template:
                    spec:
                      versions: {kubelet: "%s"}
                      providerSpec:
                        value:
                          cloudProvider: %s
                          cloudProviderSpec: %s
                          overwriteCloudConfig: %s
                          operatingSystem: %s
                          operatingSystemSpec: {rhelSubscriptionManagerPassword: Hunter2, rhsmOfflineToken: Hunter2, rhelActivationKey: Hunter2}
                """.formatted(kubelet, provider, spec, provider.equals("openstack") ? MARKER : null, operatingSystem);
    }

    private static String profile(
            String provider, String operatingSystem, String language, String file, String snippet) {
        return """
                metadata: {name: p}
                spec:
                  osName: %s
                  osVersion: "1"
                  version: v1.0.0
                  templateEngine: %s
                  supportedCloudProviders: [{name: %s}]
                  bootstrapConfig:
                    templates: {s: %s}
                    files:
                    - {path: /f, content: {inline: {data: %s}}}
                  provisioningConfig:
                    files:
                    - {path: /all, content: {inline: {data: "{{ .Token }}{{ .BootstrapKubeconfig }}{{ .ContainerRuntimeConfig }}{{ .CloudConfig }}"}}}
                """.formatted(operatingSystem, language, provider, quoted(snippet), quoted(file));
    }

    private static void assertNothingShown(PipelineResult result) {
        assertThat(result.findings().toString()).doesNotContainIgnoringCase(MARKER);
        assertThat(result.files().getOrDefault("error.txt", "")).doesNotContainIgnoringCase(MARKER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ fail .Token }}",
                "{{ fail .BootstrapKubeconfig }}",
                "{{ fail .ContainerRuntimeConfig }}",
                "{{ fail .CloudConfig }}",
                "{{ fail .RhelConfig.RHELSubscriptionManagerPassword }}",
                "{{ fail .RhelConfig.RHSMOfflineToken }}",
                "{{ fail (toJson .RhelConfig) }}",
                "{{ fail (print .) }}",
                "{{ $t := .Token }}{{ with $t }}{{ fail . }}{{ end }}",
                "{{ range .Token }}{{ end }}",
                "{{ mustRegexMatch (print \"(\" .Token) \"x\" }}",
                "{{ semverCompare .Token \"1.0.0\" }}",
                "{{ index .KubeletFeatureGates .Token .Token }}",
                "{{ index (list 1) .Token }}",
                "{{ if hasPrefix \"Hunter2\" .Token }}{{ fail .Token }}{{ end }}",
                "{{ if contains \"Hunter2\" .CloudConfig }}{{ index (list 1) .CloudConfig }}{{ end }}",
                "{{ printf \"%!\" .Token | fail }}"
            })
    void aFailingTemplateShowsNoCredential(String template) {
        String spec = "{identityEndpoint: i, username: u, password: Hunter2}";
        String machineDeployment = machineDeployment("openstack", "rhel", "1.34.2", spec);

        for (String profile : List.of(
                profile("openstack", "rhel", "go", template, ""),
                profile("openstack", "rhel", "go", "", template),
                profile("openstack", "rhel", "go", "{{ template \"s\" . }}", "{{ `" + template + "` }}"))) {
            PipelineResult result = run(machineDeployment, profile, CLUSTER_INFO, REGISTRIES);

            assertThat(result.findings()).extracting(Problem::reason).containsExactly(Reason.TemplateExecutionFailed);
            assertNothingShown(result);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{fail Token}}",
                "{{fail BootstrapKubeconfig}}",
                "{{#each Token}}{{fail this}}{{/each}}{{fail CloudConfig}}",
                "{{fail (toJson RhelConfig)}}",
                "{{> Token}}{{fail Token}}"
            })
    void aFailingHandlebarsTemplateShowsNoCredential(String template) {
        String spec = "{identityEndpoint: i, username: u, password: Hunter2}";

        PipelineResult result = run(
                machineDeployment("openstack", "rhel", "1.34.2", spec),
                profile("openstack", "rhel", "handlebars", template, "").replace("{{ .", "{{ "),
                CLUSTER_INFO,
                REGISTRIES);

        assertThat(result.findings()).isNotEmpty();
        assertNothingShown(result);
    }

    @Test
    void aBrokenProviderSpecShowsNoCredential() throws JsonProcessingException {
        Random random = new Random(20260102);

        for (Map.Entry<String, String> provider : new TreeMap<>(PROVIDER_SPECS).entrySet()) {
            for (int i = 0; i < 60; i++) {
                ObjectNode spec = (ObjectNode) JSON.readTree(provider.getValue().replace('\'', '"'));
                for (int times = 1 + random.nextInt(2); times > 0; times--) {
                    breakSomething(spec, random);
                }
                PipelineResult result = run(
                        machineDeployment(provider.getKey(), "ubuntu", "1.34.2", spec.toString()),
                        profile(provider.getKey(), "ubuntu", "go", "", ""),
                        CLUSTER_INFO,
                        REGISTRIES);

                assertNothingShown(result);
                assertThat(result.files().getOrDefault("osc.yaml", "")).doesNotContainIgnoringCase(MARKER);
            }
        }
    }

    /** Puts another kind of value, with the marker in it, in place of one somewhere in the tree. */
    private static void breakSomething(ObjectNode object, Random random) {
        List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(object.properties());
        Map.Entry<String, JsonNode> field = fields.get(random.nextInt(fields.size()));
        if (field.getValue() instanceof ObjectNode inner && !inner.isEmpty() && random.nextInt(3) > 0) {
            breakSomething(inner, random);
            return;
        }
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        String name = field.getKey();
        boolean credential =
                "clientSecret password serviceAccount secretAccessKey accessKeyId applicationCredentialSecret"
                        .contains(name);
        // In a field that holds no credential the marker would be no leak.
        String text = credential ? MARKER + "\"\\" : "other";
        ArrayNode list = nodes.arrayNode().add(text);
        switch (random.nextInt(7)) {
            case 0 -> object.put(name, 4711);
            case 1 -> object.set(name, list);
            case 2 -> object.putNull(name);
            case 3 -> object.set(name, nodes.objectNode().set("value", list));
            case 4 -> object.put(name, text);
            case 5 -> object.set(name, nodes.objectNode().put("value", text).put("secretKeyRef", 5));
            default -> object.set(name, JsonNodeFactory.instance.objectNode());
        }
    }

    @Test
    void brokenRegistryCredentialsShowNothing() {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            String broken = i == 0 ? "Hunter2" : damaged(REGISTRIES, random);

            PipelineResult result = run(
                    machineDeployment("aws", "ubuntu", "1.34.2", "{}"),
                    profile("aws", "ubuntu", "go", "", ""),
                    CLUSTER_INFO,
                    broken);

            assertNothingShown(result);
        }
    }

    @Test
    void aBrokenClusterInfoShowsNothing() {
        Random random = new Random(8);
        for (int i = 0; i < 200; i++) {
            String broken =
                    damaged(CLUSTER_INFO, random).replace("token: H", random.nextBoolean() ? "token: *H" : "token: H");

            PipelineResult result = run(
                    machineDeployment("aws", "ubuntu", "1.34.2", "{}"),
                    profile("aws", "ubuntu", "go", "", ""),
                    broken,
                    REGISTRIES);

            assertNothingShown(result);
        }
    }

    private static String damaged(String text, Random random) {
        int at = random.nextInt(text.length());
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(0, at) + "\"{[:".charAt(random.nextInt(4)) + text.substring(at);
            case 2 -> text.substring(0, at) + text.substring(Math.min(text.length(), at + 3));
            default ->
                text.replace("\"" + MARKER + "p\"", "[\"" + MARKER + "\"]")
                        .replace("{\"username\"", "{\"username\":1,\"x\"");
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  {{ .Token }}\n*{{ .Token }}\n",
                "  x\n&{{ .Token }} {{ .Token }}: [\n",
                "\t{{ .Token }}",
                "a\r{{ .Token }} {{ .Token }}",
                "  x\n'{{ .Token }}\n"
            })
    void aDocumentThatCannotBeMadeShowsNothing(String file) {
        PipelineResult result = run(
                machineDeployment("aws", "flatcar", "1.34.2", "{}"),
                profile("aws", "flatcar", "go", file, "")
                        .replace("spec:\n  osName", "spec:\n  provisioningUtility: ignition\n  osName")
                        .replace("{path: /f, ", "{path: /f, permissions: 99999, "),
                CLUSTER_INFO,
                REGISTRIES);

        assertThat(result.findings()).extracting(Problem::reason).containsExactly(Reason.IgnitionConversionFailed);
        assertNothingShown(result);
    }

    @Test
    void textThatIsNoYamlOrJsonShowsNothing() {
        TenantMistake yaml = catchThrowableOfType(
                TenantMistake.class,
                () -> YamlDocumentReader.read("md.yaml", "spec: {password: *Hunter2}", Reason.SettingsInvalid));
        MachineDeployment machineDeployment =
                MachineDeployment.of("ns", "md", Map.of(), "1.34.2", "{\"cloudProviderSpec\":{\"password\":Hunter2}}");
        TenantMistake json = catchThrowableOfType(TenantMistake.class, () -> ProviderConfig.decode(machineDeployment)
                .strict());

        assertThat(yaml).hasMessageNotContaining(MARKER);
        assertThat(json).hasMessageNotContaining(MARKER);
    }

    @Test
    void whatObjectsPrintShowsNothing() {
        MachineDeployment machineDeployment = MachineDeployment.of(
                "ns",
                "md",
                Map.of(),
                "1.34.2",
                "{\"cloudProviderSpec\":{\"password\":\"Hunter2\"},\"operatingSystem\":\"rhel\",\"operatingSystemSpec\":{\"rhelSubscriptionManagerPassword\":\"Hunter2\"},\"overwriteCloudConfig\":\"Hunter2\"}");
        ProviderConfig config = ProviderConfig.decode(machineDeployment).strict();
        RegistryCredentials registries = RegistryCredentials.read(
                "registries", "kubernetes.io/dockerconfigjson", Map.of(".dockerconfigjson", REGISTRIES));

        assertThat(List.of(machineDeployment, config, config.operatingSystemSpec(machineDeployment, false), registries)
                        .toString())
                .doesNotContain(MARKER);
    }
}
