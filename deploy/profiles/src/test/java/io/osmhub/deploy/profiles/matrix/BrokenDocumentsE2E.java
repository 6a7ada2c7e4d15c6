package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.osmhub.core.lint.KubernetesVersions;
import io.osmhub.deploy.profiles.matrix.Corpus.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each validator finds what is wrong with a profile that is broken on purpose, and says where. */
final class BrokenDocumentsE2E {
    private static Corpus corpus;
    private static Validators validators;

    @BeforeAll
    static void render() throws IOException {
        Programs programs = Programs.locate();
        Path folder = Folders.emptied(Path.of("target/broken"));
        corpus = new Corpus(folder);
        validators = new Validators(programs, folder);
        Matrix matrix = new Matrix();
        for (String profile : List.of("broken-cloud-init.yaml", "broken-ignition.yaml")) {
            Point point = new Point(BrokenProfileTest.broken(profile), "aws", "1.34", Variant.PLAIN);
            corpus.add(matrix.render(point).orElseThrow());
        }
    }

    @Test
    void cloudInit() {
        assertThat(validators.cloudInit(corpus.all(Kind.CLOUD_INIT)))
                .extracting(Finding::toString)
                .containsExactly(
                        "broken, aws, Kubernetes 1.34, plain, provisioning: cloud-init schema: yum_repos.broken:"
                                + " 'baseurl' is a required property");
    }

    @Test
    void ignition() {
        assertThat(validators.ignition(corpus.all(Kind.IGNITION)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.where())
                        .isEqualTo("broken-ignition, aws, Kubernetes 1.34, plain, bootstrap"))
                .satisfies(finding -> assertThat(finding.check()).isEqualTo("ignition-validate"))
                .satisfies(finding -> assertThat(finding.message()).contains("duplicate"));
    }

    @Test
    void ignitionOfTheVersionThatIsWritten() {
        Corpus.Artifact document = new Corpus(corpus.folder().resolve("more"))
                .add(
                        Kind.IGNITION,
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
        List<Finding> findings = validators.shell(corpus.all(Kind.SCRIPT));

        assertThat(findings).anySatisfy(finding -> assertThat(finding.toString())
                .startsWith("broken, aws, Kubernetes 1.34, plain, bootstrap: /opt//bin/bootstrap:")
                .contains("sh -n: Syntax error"));
        assertThat(findings).anySatisfy(finding -> assertThat(finding.toString())
                .startsWith("broken, aws, Kubernetes 1.34, plain, bootstrap: /opt/bin/bootstrap:")
                .contains("shellcheck: warning: unquoted is referenced but not assigned"));
    }

    @Test
    void systemd() {
        List<Finding> findings = validators.units(corpus.trees());

        assertThat(findings)
                .extracting(Finding::file, Finding::line)
                .containsExactlyInAnyOrder(tuple("/etc/systemd/system/setup.service", 2), tuple("", 0));
        // Its words differ between versions.
        assertThat(findings)
                .extracting(Finding::message)
                .anySatisfy(message -> assertThat(message).contains("Restarts", "Service"))
                .anySatisfy(message -> assertThat(message).contains("/opt/bin/not-there is not executable"));
    }

    @Test
    void kubelet() {
        assertThat(validators.kubelet(corpus.all(Kind.KUBELET)))
                .extracting(Finding::toString)
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
        Corpus more = new Corpus(corpus.folder().resolve("versions"));
        KubernetesVersions.MINORS.forEach(minor -> more.add(Kind.KUBELET, minor, configuration, minor, ""));

        assertThat(validators.kubelet(more.all(Kind.KUBELET)))
                .extracting(Finding::where)
                .containsExactly("1.31");
    }
}
