package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.deploy.profiles.matrix.MachineFileCorpus.ArtifactKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each validator finds what is wrong with a profile that is broken on purpose, and says where. */
final class BrokenDocumentsE2E {
    private static MachineFileCorpus corpus;
    private static Validators validators;

    @BeforeAll
    static void render() throws IOException {
        ValidatorPrograms programs = ValidatorPrograms.locate();
        Path folder = Folders.recreate(Path.of("target/broken"));
        corpus = new MachineFileCorpus(folder);
        validators = new Validators(programs, folder);
        RenderMatrix matrix = new RenderMatrix();
        for (String profile : List.of("broken-cloud-init.yaml", "broken-ignition.yaml")) {
            ProfileCombination point =
                    new ProfileCombination(BrokenProfileTest.broken(profile), "aws", "1.34", TenantVariant.PLAIN);
            corpus.add(matrix.render(point).orElseThrow());
        }
    }

    @Test
    void cloudInit() {
        assertThat(validators.cloudInit(corpus.all(ArtifactKind.CLOUD_INIT)))
                .extracting(MatrixFinding::toString)
                .containsExactly(
                        "broken, aws, Kubernetes 1.34, plain, provisioning: cloud-init schema: yum_repos.broken:"
                                + " 'baseurl' is a required property");
    }

    @Test
    void ignition() {
        assertThat(validators.ignition(corpus.all(ArtifactKind.IGNITION)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.where())
                        .isEqualTo("broken-ignition, aws, Kubernetes 1.34, plain, bootstrap"))
                .satisfies(finding -> assertThat(finding.check()).isEqualTo("ignition-validate"))
                .satisfies(finding -> assertThat(finding.message()).contains("duplicate"));
    }

    @Test
    void ignitionOfTheVersionThatIsWritten() {
        MachineFileCorpus.Artifact document = new MachineFileCorpus(
                        corpus.folder().resolve("more"))
                .add(
                        ArtifactKind.IGNITION,
                        "",
                        "{\"ignition\":{\"version\":\"2.3.0\"},\"storage\":{\"files\":[{\"filesystem\":\"root\",\"path\":\"etc\",\"mode\":420}]}}",
                        "here",
                        "");

        assertThat(validators.ignition(List.of(document)))
                .filteredOn(finding -> finding.check().equals("Ignition 2.3"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).contains("path not absolute"));
    }

    @Test
    void bashAndShellCheck() {
        List<MatrixFinding> findings = validators.shell(corpus.all(ArtifactKind.SCRIPT));

        assertThat(findings).anySatisfy(finding -> assertThat(finding.toString())
                .startsWith("broken, aws, Kubernetes 1.34, plain, bootstrap: /opt//bin/bootstrap:")
                .contains("sh -n: Syntax error"));
        assertThat(findings).anySatisfy(finding -> assertThat(finding.toString())
                .startsWith("broken, aws, Kubernetes 1.34, plain, bootstrap: /opt/bin/bootstrap:")
                .contains("shellcheck: warning: unquoted is referenced but not assigned"));
    }

    @Test
    void systemd() {
        List<MatrixFinding> findings = validators.units(corpus.trees());

        assertThat(findings)
                .extracting(MatrixFinding::file, MatrixFinding::line)
                .containsExactlyInAnyOrder(tuple("/etc/systemd/system/setup.service", 2), tuple("", 0));
        // Its words differ between versions.
        assertThat(findings)
                .extracting(MatrixFinding::message)
                .anySatisfy(message -> assertThat(message).contains("Restarts", "Service"))
                .anySatisfy(message -> assertThat(message).contains("/opt/bin/not-there is not executable"));
    }

    @Test
    void kubelet() {
        assertThat(validators.kubelet(corpus.all(ArtifactKind.KUBELET)))
                .extracting(MatrixFinding::toString)
                .containsExactly("broken, aws, Kubernetes 1.34, plain, provisioning: /etc/kubernetes/kubelet.conf:"
                        + " KubeletConfiguration: strict decoding error: unknown field \"maxPodz\"");
    }

    @Test
    void kubeletOfAnotherVersionThanTheOneThatKnowsAField() {
        // Kubernetes 1.32 was the first to know it.
        String configuration = """
            apiVersion: kubelet.config.k8s.io/v1beta1
            kind: KubeletConfiguration
            crashLoopBackOff: {maxContainerRestartPeriod: 5m}
            """;
        MachineFileCorpus more = new MachineFileCorpus(corpus.folder().resolve("versions"));
        KubernetesVersions.MINORS.forEach(minor -> more.add(ArtifactKind.KUBELET, minor, configuration, minor, ""));

        assertThat(validators.kubelet(more.all(ArtifactKind.KUBELET)))
                .extracting(MatrixFinding::where)
                .containsExactly("1.31");
    }
}
