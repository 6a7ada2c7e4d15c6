package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.watch.ObjectKey;
import org.junit.jupiter.api.Test;

final class EchoesTest {
    private static final ObjectKey MACHINE_DEPLOYMENT = new ObjectKey("n", "w");
    private static final ObjectKey SECRET = new ObjectKey("cloud-init-settings", "w-n-bootstrap-config");

    private final Echoes echoes = new Echoes();

    @Test
    void whatIsHeardWhileNothingRunsIsActedUpon() {
        assertThat(echoes.heard(Echoes.Kind.SECRET, SECRET, MACHINE_DEPLOYMENT)).isFalse();
    }

    @Test
    void theHubsOwnWriteAsksForNothing() {
        echoes.begins(MACHINE_DEPLOYMENT);
        assertThat(echoes.heard(Echoes.Kind.SECRET, SECRET, MACHINE_DEPLOYMENT)).isTrue();
        echoes.explained(Echoes.Kind.SECRET, SECRET);

        assertThat(echoes.ends(MACHINE_DEPLOYMENT)).isFalse();
    }

    @Test
    void whatSomebodyElseDidDuringARunAsksForAnother() {
        echoes.begins(MACHINE_DEPLOYMENT);
        echoes.heard(Echoes.Kind.SECRET, SECRET, MACHINE_DEPLOYMENT);

        assertThat(echoes.ends(MACHINE_DEPLOYMENT)).isTrue();
        echoes.begins(MACHINE_DEPLOYMENT);
        assertThat(echoes.ends(MACHINE_DEPLOYMENT)).isFalse();
    }
}
