package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.profiles.matrix.MachineFileCorpus.ArtifactKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The shipped profiles before the programs that read them on a machine: every distinct document, script, unit and configuration. */
final class ValidatorsE2E {
    private static final RenderMatrix MATRIX = new RenderMatrix();
    private static MachineFileCorpus corpus;
    private static Validators validators;
    private static int found;

    @BeforeAll
    static void render() throws IOException {
        ValidatorPrograms programs = ValidatorPrograms.locate();
        Path folder = Folders.recreate(Path.of("target/validators"));
        corpus = new MachineFileCorpus(folder);
        validators = new Validators(programs, folder);
        ShippedProfile.shipped().forEach(subject -> ProfileCombination.of(subject)
                .forEach(point -> MATRIX.render(point).ifPresent(corpus::add)));
        assertThat(MATRIX.findings()).isEmpty();
    }

    @AfterAll
    static void count() {
        System.out.printf(
                "profiles: %,d renderings of %d profiles; distinct: %,d cloud-init and %,d Ignition documents, %,d scripts, %,d units in %,d"
                        + " trees, %,d kubelet configurations; %,d findings%n",
                MATRIX.renderings(),
                ShippedProfile.shipped().size(),
                corpus.all(ArtifactKind.CLOUD_INIT).size(),
                corpus.all(ArtifactKind.IGNITION).size(),
                corpus.all(ArtifactKind.SCRIPT).size(),
                corpus.units(),
                corpus.trees().size(),
                corpus.all(ArtifactKind.KUBELET).size(),
                found);
    }

    @Test
    void cloudInitTakesEveryDocument() {
        none(validators.cloudInit(corpus.all(ArtifactKind.CLOUD_INIT)));
    }

    @Test
    void ignitionTakesEveryDocument() {
        none(validators.ignition(corpus.all(ArtifactKind.IGNITION)));
    }

    @Test
    void bashAndShellCheckTakeEveryScript() {
        none(validators.shell(corpus.all(ArtifactKind.SCRIPT)));
    }

    @Test
    void systemdTakesEveryUnit() {
        none(validators.units(corpus.trees()));
    }

    @Test
    void kubeletOfEveryVersionTakesItsConfiguration() {
        none(validators.kubelet(corpus.all(ArtifactKind.KUBELET)));
    }

    private static void none(List<MatrixFinding> findings) {
        found += findings.size();
        assertThat(FindingSummary.of(findings)).as("findings").isEmpty();
    }
}
