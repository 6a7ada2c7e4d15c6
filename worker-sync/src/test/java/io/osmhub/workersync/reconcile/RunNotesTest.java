package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.HeardWork;
import org.junit.jupiter.api.Test;

final class RunNotesTest {
    @Test
    void nobodyHearsTheRequestsOfARunThatIsNotFollowed() {
        assertThat(RunNotes.NONE.during(() -> HeardWork.listener() == null)).isTrue();
        assertThat(RunNotes.NONE.traceId()).isEmpty();
    }
}
