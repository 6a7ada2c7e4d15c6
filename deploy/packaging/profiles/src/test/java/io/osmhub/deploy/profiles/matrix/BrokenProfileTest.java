package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A matrix that cannot fail proves nothing: each of its checks finds what is wrong with a profile that is broken on purpose. */
final class BrokenProfileTest {
    private final RenderMatrix matrix = new RenderMatrix();

    static ShippedProfile broken(String file) {
        return ShippedProfile.of(file, TestFile.text(file));
    }

    private List<MatrixFinding> findings(ShippedProfile subject, TenantVariant variant) {
        Optional<RenderMatrix.DocumentPair> pair =
                matrix.render(new ProfileCombination(subject, "aws", "1.34", variant));
        DocumentScan reading = new DocumentScan();
        reading.read(pair.orElseThrow());
        return reading.findings();
    }

    @Test
    void everyCheckFindsItsFault() {
        List<MatrixFinding> findings = findings(broken("broken-cloud-init.yaml"), TenantVariant.AIR_GAP);

        assertThat(findings)
                .extracting(MatrixFinding::file, MatrixFinding::line, MatrixFinding::check)
                .contains(
                        tuple("/opt/bin/bootstrap", 2, "unverified TLS"),
                        tuple("/opt/bin/bootstrap", 2, "world-readable credential"),
                        tuple("/opt/bin/bootstrap", 3, "way out of an air gap"),
                        tuple("/etc/containerd/config.toml", 1, "containerd's TOML"),
                        tuple("/etc/containerd/certs.d/quay.io/hosts.toml", 1, "containerd's TOML"),
                        tuple("", 0, "file given twice"),
                        tuple("", 0, "size"),
                        tuple("", 0, "credential in a command line"));
        assertThat(findings)
                .filteredOn(finding -> finding.check().equals("template"))
                .extracting(MatrixFinding::message)
                .containsExactly("<nil>");
        assertThat(findings).extracting(MatrixFinding::check).doesNotContain("completeness");
    }

    @Test
    void aFindingNamesProfileProviderVersionVariantFileAndLine() {
        List<MatrixFinding> findings = findings(broken("broken-cloud-init.yaml"), TenantVariant.AIR_GAP);

        assertThat(findings)
                .extracting(MatrixFinding::toString)
                .contains(
                        "broken, aws, Kubernetes 1.34, air gap, bootstrap: /opt/bin/bootstrap:3: way out of an air gap:"
                                + " https://downloads.example.org/a");
    }

    @Test
    void waysOutAreNoFaultWhereThereIsNoAirGap() {
        assertThat(findings(broken("broken-cloud-init.yaml"), TenantVariant.PLAIN))
                .extracting(MatrixFinding::check)
                .doesNotContain("way out of an air gap")
                .contains("unverified TLS");
    }

    @Test
    void aProfileWithoutWhatTheChecksLookAtIsAFinding() {
        assertThat(findings(broken("broken-ignition.yaml"), TenantVariant.PLAIN))
                .filteredOn(finding -> finding.check().equals("completeness"))
                .extracting(MatrixFinding::message)
                .containsExactly("no kubelet configuration", "no script", "no unit of systemd");
    }

    @Test
    void whatCannotBeRenderedIsAFinding() {
        RenderMatrix.DocumentPair none = matrix.render(
                        new ProfileCombination(broken("broken-ignition.yaml"), "azure", "1.34", TenantVariant.PLAIN))
                .orElse(null);

        assertThat(none).isNull();
        assertThat(matrix.findings())
                .extracting(MatrixFinding::where)
                .containsExactly("broken-ignition, azure, Kubernetes 1.34, plain");
    }
}
