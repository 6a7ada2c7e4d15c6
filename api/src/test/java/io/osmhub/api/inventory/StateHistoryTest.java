package io.osmhub.api.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.schema.Connection.Interval;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StateHistoryTest {
    private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");
    private static final ObjectKey KEY = new ObjectKey("cluster-a", "shop");

    private final StateHistory states = new StateHistory();

    private void record(State state, long start, long now) {
        states.record(KEY, state, BEGIN.plusSeconds(start), BEGIN.plusSeconds(now));
    }

    @Test
    void anOutageStartsWithTheLastAnswer() {
        record(State.SYNCED, 0, 0);
        record(State.CONNECTING, 61, 61);
        record(State.UNREACHABLE, 60, 64);

        assertThat(states.intervals(KEY, BEGIN.plusSeconds(70)))
                .containsExactly(
                        new Interval(BEGIN, BEGIN.plusSeconds(60), State.SYNCED),
                        new Interval(BEGIN.plusSeconds(60), null, State.UNREACHABLE));
    }

    @Test
    void whatWasNotObservedIsNotAdded() {
        record(State.UNREACHABLE, -500, 0);
        record(State.SYNCED, 20, 20);

        assertThat(states.intervals(KEY, BEGIN.plusSeconds(70)))
                .containsExactly(
                        new Interval(BEGIN, BEGIN.plusSeconds(20), State.UNREACHABLE),
                        new Interval(BEGIN.plusSeconds(20), null, State.SYNCED));
    }
}
