package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.RequestAttribution;
import org.junit.jupiter.api.Test;

final class RunTraceRecorderTest {
    @Test
    void nobodyHearsTheRequestsOfARunThatIsNotFollowed() {
        assertThat(RunTraceRecorder.NONE.callTraced(() -> RequestAttribution.currentListener() == null))
                .isTrue();
        assertThat(RunTraceRecorder.NONE.traceId()).isEmpty();
    }
}
