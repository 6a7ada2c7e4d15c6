package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks of the shipped profiles without external programs; for those see {@code ValidatorsE2E}. */
final class RenderMatrixTest {
    @Test
    void everyCombinationRendersToDocumentsWithoutFindings() {
        RenderMatrix matrix = new RenderMatrix();
        DocumentScan reading = new DocumentScan();

        for (ShippedProfile subject : ShippedProfile.shipped()) {
            for (ProfileCombination point : ProfileCombination.of(subject)) {
                matrix.render(point).ifPresent(reading::read);
            }
        }

        System.out.printf(
                "profiles: %,d renderings of %d profiles, %,d documents, %,d files, %,d of them different; largest"
                        + " bootstrap document %,d bytes%n",
                matrix.renderings(),
                ShippedProfile.shipped().size(),
                reading.documents(),
                reading.files(),
                reading.distinctFiles(),
                reading.largestBootstrap());
        List<MatrixFinding> findings = new ArrayList<>(matrix.findings());
        findings.addAll(reading.findings());
        assertThat(FindingSummary.of(findings)).as("findings").isEmpty();
    }
}
