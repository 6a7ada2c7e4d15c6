package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A matrix that cannot fail proves nothing: each of its checks finds what is wrong with a profile that is broken on purpose. */
final class BrokenProfileTest {
    private final Matrix matrix = new Matrix();

    static Subject broken(String file) {
        return Subject.of(file, TestFile.text(file));
    }

    private List<Finding> findings(Subject subject, Variant variant) {
        Optional<Matrix.Pair> pair = matrix.render(new Point(subject, "aws", "1.34", variant));
        Reading reading = new Reading();
        reading.read(pair.orElseThrow());
        return reading.findings();
    }

    @Test
    void everyCheckFindsItsFault() {
        List<Finding> findings = findings(broken("broken-cloud-init.yaml"), Variant.AIR_GAP);

        assertThat(findings)
                .extracting(Finding::file, Finding::line, Finding::check)
                .contains(
                        tuple("/opt/bin/bootstrap", 2, "unverified TLS"),
                        tuple("/opt/bin/bootstrap", 2, "credential that everybody may read"),
                        tuple("/opt/bin/bootstrap", 3, "way out of an air gap"),
                        tuple("/etc/containerd/config.toml", 1, "containerd's TOML"),
                        tuple("/etc/containerd/certs.d/quay.io/hosts.toml", 1, "containerd's TOML"),
                        tuple("", 0, "file given twice"),
                        tuple("", 0, "size"),
                        tuple("", 0, "credential in a command line"));
        assertThat(findings)
                .filteredOn(finding -> finding.check().equals("template"))
                .extracting(Finding::message)
                .containsExactly("<nil>");
        assertThat(findings).extracting(Finding::check).doesNotContain("completeness");
    }

    @Test
    void aFindingNamesProfileProviderVersionVariantFileAndLine() {
        List<Finding> findings = findings(broken("broken-cloud-init.yaml"), Variant.AIR_GAP);

        assertThat(findings)
                .extracting(Finding::toString)
                .contains(
                        "broken, aws, Kubernetes 1.34, air gap, bootstrap: /opt/bin/bootstrap:3: way out of an air gap:"
                                + " https://downloads.example.org/a");
    }

    @Test
    void waysOutAreNoFaultWhereThereIsNoAirGap() {
        assertThat(findings(broken("broken-cloud-init.yaml"), Variant.PLAIN))
                .extracting(Finding::check)
                .doesNotContain("way out of an air gap")
                .contains("unverified TLS");
    }

    @Test
    void aProfileWithoutWhatTheChecksLookAtIsAFinding() {
        assertThat(findings(broken("broken-ignition.yaml"), Variant.PLAIN))
                .filteredOn(finding -> finding.check().equals("completeness"))
                .extracting(Finding::message)
                .containsExactly("no kubelet configuration", "no script", "no unit of systemd");
    }

    @Test
    void whatCannotBeRenderedIsAFinding() {
        Matrix.Pair none = matrix.render(new Point(broken("broken-ignition.yaml"), "azure", "1.34", Variant.PLAIN))
                .orElse(null);

        assertThat(none).isNull();
        assertThat(matrix.findings())
                .extracting(Finding::where)
                .containsExactly("broken-ignition, azure, Kubernetes 1.34, plain");
    }
}
