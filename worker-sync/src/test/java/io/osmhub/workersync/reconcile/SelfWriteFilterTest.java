package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.watch.ObjectKey;
import org.junit.jupiter.api.Test;

final class SelfWriteFilterTest {
    private static final ObjectKey MACHINE_DEPLOYMENT = new ObjectKey("n", "w");
    private static final ObjectKey SECRET = new ObjectKey("cloud-init-settings", "w-n-bootstrap-config");

    private final SelfWriteFilter echoes = new SelfWriteFilter();

    @Test
    void whatIsHeardWhileNothingRunsIsActedUpon() {
        assertThat(echoes.deferIfRunning(SelfWriteFilter.ObjectKind.SECRET, SECRET, MACHINE_DEPLOYMENT))
                .isFalse();
    }

    @Test
    void theHubsOwnWriteAsksForNothing() {
        echoes.beginRun(MACHINE_DEPLOYMENT);
        assertThat(echoes.deferIfRunning(SelfWriteFilter.ObjectKind.SECRET, SECRET, MACHINE_DEPLOYMENT))
                .isTrue();
        echoes.recordSelfWrite(SelfWriteFilter.ObjectKind.SECRET, SECRET);

        assertThat(echoes.endRun(MACHINE_DEPLOYMENT)).isFalse();
    }

    @Test
    void whatSomebodyElseDidDuringARunAsksForAnother() {
        echoes.beginRun(MACHINE_DEPLOYMENT);
        echoes.deferIfRunning(SelfWriteFilter.ObjectKind.SECRET, SECRET, MACHINE_DEPLOYMENT);

        assertThat(echoes.endRun(MACHINE_DEPLOYMENT)).isTrue();
        echoes.beginRun(MACHINE_DEPLOYMENT);
        assertThat(echoes.endRun(MACHINE_DEPLOYMENT)).isFalse();
    }
}
