package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be told of the shipped profiles without another program; {@code ValidatorsE2E} asks those. */
final class MatrixTest {
    @Test
    void everyCombinationRendersToDocumentsWithoutFindings() {
        Matrix matrix = new Matrix();
        Reading reading = new Reading();

        for (Subject subject : Subject.shipped()) {
            for (Point point : Point.of(subject)) {
                matrix.render(point).ifPresent(reading::read);
            }
        }

        System.out.printf(
                "profiles: %,d renderings of %d profiles, %,d documents, %,d files, %,d of them different; largest"
                        + " bootstrap document %,d bytes%n",
                matrix.renderings(),
                Subject.shipped().size(),
                reading.documents(),
                reading.files(),
                reading.distinctFiles(),
                reading.largestBootstrap());
        List<Finding> findings = new ArrayList<>(matrix.findings());
        findings.addAll(reading.findings());
        assertThat(Summary.of(findings)).as("findings").isEmpty();
    }
}
