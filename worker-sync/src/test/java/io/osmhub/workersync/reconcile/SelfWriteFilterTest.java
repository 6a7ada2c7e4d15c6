package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.reconcile.SelfWriteFilter.ObservedVersion;
import io.osmhub.workersync.watch.ObjectKey;
import org.junit.jupiter.api.Test;

final class SelfWriteFilterTest {
    private static final ObjectKey MACHINE_DEPLOYMENT = new ObjectKey("n", "w");
    private static final ObservedVersion SECRET =
            new ObservedVersion(Resource.SECRETS, new ObjectKey("cloud-init-settings", "w-n-bootstrap-config"));

    private final SelfWriteFilter selfWriteFilter = new SelfWriteFilter();

    @Test
    void whatIsHeardWhileNothingRunsIsActedUpon() {
        assertThat(selfWriteFilter.deferIfRunning(SECRET, MACHINE_DEPLOYMENT)).isFalse();
    }

    @Test
    void theHubsOwnWriteAsksForNothing() {
        selfWriteFilter.beginRun(MACHINE_DEPLOYMENT);
        assertThat(selfWriteFilter.deferIfRunning(SECRET, MACHINE_DEPLOYMENT)).isTrue();
        selfWriteFilter.recordSelfWrite(SECRET);

        assertThat(selfWriteFilter.endRun(MACHINE_DEPLOYMENT)).isFalse();
    }

    @Test
    void whatSomebodyElseDidDuringARunAsksForAnother() {
        selfWriteFilter.beginRun(MACHINE_DEPLOYMENT);
        selfWriteFilter.deferIfRunning(SECRET, MACHINE_DEPLOYMENT);

        assertThat(selfWriteFilter.endRun(MACHINE_DEPLOYMENT)).isTrue();
        selfWriteFilter.beginRun(MACHINE_DEPLOYMENT);
        assertThat(selfWriteFilter.endRun(MACHINE_DEPLOYMENT)).isFalse();
    }
}
