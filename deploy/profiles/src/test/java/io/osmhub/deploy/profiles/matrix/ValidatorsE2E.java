package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.profiles.matrix.Corpus.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The shipped profiles before the programs that read them on a machine: every distinct document, script, unit and configuration. */
final class ValidatorsE2E {
    private static final Matrix MATRIX = new Matrix();
    private static Corpus corpus;
    private static Validators validators;
    private static int found;

    @BeforeAll
    static void render() throws IOException {
        Programs programs = Programs.locate();
        Path folder = Folders.emptied(Path.of("target/validators"));
        corpus = new Corpus(folder);
        validators = new Validators(programs, folder);
        Subject.shipped().forEach(subject -> Point.of(subject)
                .forEach(point -> MATRIX.render(point).ifPresent(corpus::add)));
        assertThat(MATRIX.findings()).isEmpty();
    }

    @AfterAll
    static void count() {
        System.out.printf(
                "profiles: %,d renderings of %d profiles; distinct: %,d cloud-init and %,d Ignition documents, %,d scripts, %,d units in %,d"
                        + " trees, %,d kubelet configurations; %,d findings%n",
                MATRIX.renderings(),
                Subject.shipped().size(),
                corpus.all(Kind.CLOUD_INIT).size(),
                corpus.all(Kind.IGNITION).size(),
                corpus.all(Kind.SCRIPT).size(),
                corpus.units(),
                corpus.trees().size(),
                corpus.all(Kind.KUBELET).size(),
                found);
    }

    @Test
    void cloudInitTakesEveryDocument() {
        none(validators.cloudInit(corpus.all(Kind.CLOUD_INIT)));
    }

    @Test
    void ignitionTakesEveryDocument() {
        none(validators.ignition(corpus.all(Kind.IGNITION)));
    }

    @Test
    void bashAndShellCheckTakeEveryScript() {
        none(validators.shell(corpus.all(Kind.SCRIPT)));
    }

    @Test
    void systemdTakesEveryUnit() {
        none(validators.units(corpus.trees()));
    }

    @Test
    void kubeletOfEveryVersionTakesItsConfiguration() {
        none(validators.kubelet(corpus.all(Kind.KUBELET)));
    }

    private static void none(List<Finding> findings) {
        found += findings.size();
        assertThat(Summary.of(findings)).as("findings").isEmpty();
    }
}
