package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineRun;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.LintMatrix.MatrixCombination;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeContentCheckTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", ".."));
    private static final Path RESOURCES = ROOT.resolve("core/src/test/resources");
    private static final Path FIELD = ROOT.resolve("deploy/cli/src/test/resources/field");
    private static final String UNREADABLE = "UserDataUnreadable";

    /** Their annotations break the YAML of the kubelet's configuration. */
    private static final Set<String> KNOWN = Set.of("defect-ubuntu-aws-image-gc-age", "ubuntu-aws-kubelet-config-odd");

    /** Findings of a case, by reason, place and cause. */
    private static List<String> check(String machineDeployment, String profile) throws IOException {
        return check(Files.readString(RESOURCES.resolve("examples/case.yaml")), machineDeployment, profile);
    }

    private static List<String> check(String settings, String machineDeployment, String profile) {
        PipelineRun run = new PipelineRun();
        assertThat(run.run(PipelineCase.of(settings, machineDeployment, profile))
                        .findings())
                .isEmpty();
        return run.contentFindings().stream()
                .map(finding -> finding.reason() + " " + finding)
                .toList();
    }

    private static List<String> field(String name) throws IOException {
        Path folder = FIELD.resolve(name);
        return check(Files.readString(folder.resolve("md.yaml")), Files.readString(folder.resolve("osp.yaml")));
    }

    /** A profile with one file. */
    private static List<String> checkFile(String path, String data) throws IOException {
        return check(Files.readString(FIELD.resolve("02-gc-age-breaks-kubelet-conf/md.yaml")), profile(path, data));
    }

    private static String profile(String path, String data) {
        return """
                apiVersion: operatingsystemmanager.k8c.io/v1alpha1
                kind: OperatingSystemProfile
                metadata: {name: osp-case, namespace: kube-system}
                spec:
                  osName: ubuntu
                  osVersion: "1"
                  version: v1.0.0
                  provisioningUtility: cloud-init
                  supportedCloudProviders: [{name: aws}]
                  bootstrapConfig: {}
                  provisioningConfig:
                    files:
                    - path: %s
                      permissions: 600
                      content:
                        inline:
                          data: |
                %s
                """.formatted(path, data.indent(12));
    }

    private static String kubelet(String fields) {
        return "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n" + fields;
    }

    @Test
    void kubeletSettingsOnTheTemplateAreNamedWithTheirPlace() throws IOException {
        assertThat(field("01-kubelet-annotation-on-template"))
                .hasSize(2)
                .allMatch(finding -> finding.startsWith("KubeletAnnotationUnusable "))
                .allMatch(finding -> finding.endsWith("move it to metadata.annotations of the MachineDeployment"))
                .anyMatch(finding -> finding.contains("kubermatic.io/MaxPods: has no effect below spec.template"))
                .anyMatch(finding -> finding.contains("kubermatic.io/KubeReserved: has no effect below spec.template"));
    }

    @Test
    void optionsThatTheKubeletOfTheMachineDeploymentDoesNotKnowAreNamed() throws IOException {
        Path folder = FIELD.resolve("05-kubelet-flags-removed");
        String settings = Files.readString(RESOURCES.resolve("examples/case.yaml"));
        String profile =
                Files.readString(folder.resolve("osp.yaml")).replace("{{- if .PauseImage }}", "{{- if true }}");
        String newer = Files.readString(folder.resolve("md.yaml"));

        assertThat(check(settings, newer, profile))
                .hasSize(3)
                .allMatch(finding -> finding.startsWith("UserDataSuspect "))
                .allMatch(finding -> finding.contains("file /etc/systemd/system/kubelet.service: the kubelet "))
                .anyMatch(finding -> finding.contains("no --container-runtime since Kubernetes 1.27"))
                .anyMatch(finding -> finding.contains("no --pod-infra-container-image since Kubernetes 1.35"))
                .anyMatch(finding -> finding.contains("only --cloud-provider=external since Kubernetes 1.29"));
        assertThat(check(settings, newer.replace("kubelet: 1.36.1", "kubelet: 1.34.2"), profile))
                .hasSize(2)
                .noneMatch(finding -> finding.contains("pod-infra-container-image"));
    }

    @Test
    void aKubeletConfigurationThatIsNoYamlIsUnreadable() throws IOException {
        assertThat(field("02-gc-age-breaks-kubelet-conf"))
                .singleElement()
                .asString()
                .startsWith(
                        "UserDataUnreadable MachineDeployment kube-system/workers, file /etc/kubernetes/kubelet.conf: no YAML: ")
                .contains(", in line 3 as rendered, no node starts with it; ")
                .endsWith("correct spec.provisioningConfig.files[0] of OperatingSystemProfile kube-system/osp-case");
    }

    @Test
    void eachMistakeInKubeletSettingsIsNamed() throws IOException {
        assertThat(field("03-kubelet-annotation-typos"))
                .hasSize(4)
                .anyMatch(finding -> finding.contains("/maxPods: is not a kubelet setting")
                        && finding.contains("did you mean MaxPods?"))
                .anyMatch(finding -> finding.contains("/KubeReserved: \"cpu:200m memory\" must be cpu, memory, "))
                .anyMatch(finding -> finding.contains("/EvictionHard: \"memory.available=100Mi\" has no <"))
                .anyMatch(finding ->
                        finding.startsWith(UNREADABLE) && finding.contains("kubeReserved: \"cpu:200m memory\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxPods: many | maxPods must be a whole number of at least 0, not \"many\"",
                "maxPods: -1 | maxPods must be a whole number of at least 0, not -1",
                "kubeReserved: {cpu: 1} | kubeReserved[cpu] must be a string with a quantity such as 200m or 100Mi, not 1",
                "systemReserved: {cpu: 200x} | systemReserved[cpu] must be a string with a quantity such as 200m or 100Mi, not",
                "systemReserved: {memory: -1Gi} | systemReserved[memory] must be a string with a quantity",
                "systemReserved: {gpu: 1Gi} | systemReserved: \"gpu\" must be cpu, memory, ",
                "kubeReserved: {Memory: 1Gi} | kubeReserved: \"Memory\" must be cpu, memory, ",
                "evictionHard: [memory.available] | evictionHard must be an object, not a list",
                "evictionHard: {memory.free: 5%} | evictionHard: \"memory.free\" must be an eviction signal such as memory.available",
                "evictionHard: {memory.available: 101%} | evictionHard[memory.available] must be a string with a positive",
                "evictionSoft: {nodefs.available: '0'} | evictionSoft[nodefs.available] must be a string with a positive",
                "evictionSoft: {nodefs.available: 0Mi} | evictionSoft[nodefs.available] must be a string with a positive",
                "containerLogMaxFiles: 1 | containerLogMaxFiles must be a whole number of at least 2, not 1",
                "containerLogMaxFiles: '5' | containerLogMaxFiles must be a whole number of at least 2, not \"5\"",
                "containerLogMaxSize: 10MB | containerLogMaxSize must be a string with a quantity such as 100Mi, not",
                "containerLogMaxSize: 100 | containerLogMaxSize must be a string with a quantity such as 100Mi, not 100",
                "imageGCHighThresholdPercent: 80 | imageGCLowThresholdPercent (default 80) must be less than",
                "imageGCLowThresholdPercent: 90 | imageGCLowThresholdPercent (90) must be less than",
                "imageGCHighThresholdPercent: 120 | imageGCHighThresholdPercent must be a whole number from 0 to 100, not 120",
                "imageMinimumGCAge: 2 | imageMinimumGCAge must be a string with a duration such as 2m30s, not 2",
                "imageMinimumGCAge: 2 minutes | imageMinimumGCAge must be a string with a duration such as 2m30s",
                "imageMaximumGCAge: 1m | imageMaximumGCAge must be greater than imageMinimumGCAge (default 2m)",
                "featureGates: {X: 'true'} | featureGates[X] must be true or false, not \"true\"",
                "failSwapOn: 'no' | failSwapOn must be true or false, not \"no\"",
                "podPidsLimit: yes | podPidsLimit must be a number, not true",
                "clusterDomain: [a] | clusterDomain must be a string, not a list",
                "clusterDNS: 10.0.0.10 | clusterDNS must be a list, not \"10.0.0.10\"",
                "clusterDNS: [1] | clusterDNS must be a string, not 1",
                "registerWithTaints: {key: a} | registerWithTaints must be a list, not an object",
                "authentication: anonymous | authentication must be an object, not \"anonymous\"",
                "a: [ | no YAML",
                "a: *b | no YAML"
            })
    void whatNoKubeletStartsWithIsUnreadable(String fields, String what) throws IOException {
        assertThat(checkFile("/etc/kubernetes/kubelet.conf", kubelet(fields)))
                .singleElement()
                .asString()
                .startsWith(UNREADABLE)
                .contains("file /etc/kubernetes/kubelet.conf: " + what);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxPods: 0",
                "maxPods: null",
                "kubeReserved:",
                "kubeReserved: {cpu: 200m, memory: 1.5Gi, ephemeral-storage: '1e9', pid: '1000'}",
                "evictionHard: {memory.available: 0%, nodefs.inodesFree: 5.5%, imagefs.available: 100Mi, pid.available: 100%}",
                "evictionSoftGracePeriod: {memory.available: 1m30s}",
                "containerLogMaxSize: '-1'",
                "imageGCHighThresholdPercent: 81",
                "imageMaximumGCAge: 0s",
                "imageMaximumGCAge: 2m1s",
                "streamingConnectionIdleTimeout: 0s",
                "featureGates: {X: yes}",
                "aFieldOfTomorrow: [1, {}]"
            })
    void whatAKubeletStartsWithIsAccepted(String fields) throws IOException {
        assertThat(checkFile("/etc/kubernetes/kubelet.conf", kubelet(fields))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/etc/containerd/config.toml | version = | UserDataUnreadable",
                "/etc/containerd/certs.d/example.org/hosts.toml | server = | UserDataSuspect",
                "/etc/docker/daemon.json | {\"a\": | UserDataSuspect",
                "/etc/app.yaml | a: b: c | UserDataSuspect",
                "/etc/systemd/system/a.service | ExecStart=/bin/true | UserDataSuspect",
                "/etc/kubernetes/other.yaml | 'kind: KubeletConfiguration\na: [' | UserDataUnreadable",
            })
    void onlyWhatStopsTheNodeIsUnreadable(String path, String data, String reason) throws IOException {
        assertThat(checkFile(path, data.replace("\\n", "\n")))
                .singleElement()
                .asString()
                .startsWith(reason + " MachineDeployment kube-system/workers, file " + path + ": ");
    }

    @Test
    void whatACredentialBreaksIsReportedWithoutIt() throws IOException {
        String settings = Files.readString(RESOURCES.resolve("examples/case.yaml"))
                .replace("apiServerToken: fetch-token-0123456789", "apiServerToken: 's3cret: {'");

        assertThat(check(
                        settings,
                        Files.readString(FIELD.resolve("02-gc-age-breaks-kubelet-conf/md.yaml")),
                        profile("/etc/kubernetes/kubelet.conf", kubelet("clusterDomain: {{ .Token }}"))))
                .singleElement()
                .asString()
                .startsWith(UNREADABLE)
                .contains("the message is withheld because it may contain one")
                .doesNotContain("s3cret");
    }

    /** The kubelet takes the last one, with a warning. */
    @Test
    void aRepeatedKeyOfAKubeletConfigurationIsOnlySuspect() throws IOException {
        assertThat(checkFile("/etc/kubernetes/kubelet.conf", kubelet("maxPods: 1\nmaxPods: 2")))
                .singleElement()
                .asString()
                .startsWith("UserDataSuspect ");
    }

    /** Results are remembered by content, which other profiles have at another place. */
    @Test
    void equalContentIsReportedWithTheFieldOfEachProfile() {
        NodeContentCheck check = new NodeContentCheck();
        String content = kubelet("maxPods: many");
        String first = profile("/etc/kubernetes/kubelet.conf", content);
        String second = first.replace("files:\n", """
                files:
                    - path: /etc/motd
                      content: {inline: {data: hello}}
                """);

        assertThat(check(check, first)).singleElement().asString().contains("correct spec.provisioningConfig.files[0]");
        assertThat(check(check, second))
                .singleElement()
                .asString()
                .contains("correct spec.provisioningConfig.files[1]");
        assertThat(check(check, first)).singleElement().asString().contains("correct spec.provisioningConfig.files[0]");
        assertThat(check(check, first.replace("many", "110"))).isEmpty();
    }

    private static List<Problem> check(NodeContentCheck check, String text) {
        OperatingSystemProfile profile = ProfileReader.stored()
                .read(YamlDocumentReader.read("osp.yaml", text, Reason.SettingsInvalid)
                        .getFirst());
        LintMatrix.Situation situation = LintMatrix.SITUATIONS.getFirst();
        CompiledProfile compiled = new CompiledProfileCache(new TemplateEngines(), 1).getOrCompile(profile.spec());
        RenderInput input = new MatrixCombination("aws", "1.34", situation)
                .input(profile, compiled, situation.settings(), Candidates.NONE);
        RenderedConfig rendering = new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, () -> 0)::open).render(input);
        return check.check(input, rendering, UserDataDocuments.createDocuments(input, rendering));
    }

    /** What was published before can be published. */
    @Test
    void noGoldenRenderingIsUnreadableUnlessItIsKnown() {
        PipelineCorpus own = OsmFixtures.own();
        PipelineCorpus render = new PipelineCorpus(RESOURCES.resolve("render"));
        List<String> unreadable = new ArrayList<>();
        for (PipelineCorpus corpus : List.of(own, render)) {
            corpus.names().forEach(name -> unreadable.addAll(unreadable(corpus, name)));
        }
        if (OsmFixtures.isSharedPresent()) {
            PipelineCorpus all = OsmFixtures.all();
            all.names().forEach(name -> unreadable.addAll(unreadable(all, name)));
        }

        assertThat(unreadable).allMatch(finding -> KNOWN.contains(finding.substring(0, finding.indexOf(':'))));
    }

    private static List<String> unreadable(PipelineCorpus corpus, String name) {
        PipelineRun run = new PipelineRun();
        run.run(corpus.read(name));
        return run.contentFindings().stream()
                .filter(finding -> finding.reason() == Reason.UserDataUnreadable)
                .map(Problem::toString)
                .map(finding -> name + ": " + finding)
                .toList();
    }
}
