package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RunTraceRecorderTest {
    @Test
    void nobodyHearsTheRequestsOfARunThatIsNotFollowed() {
        VirtualTime time = new VirtualTime();
        RuntimeContext runtimeContext = new RuntimeContext(time, time, new Random(1));
        WorkQueue workQueue = new WorkQueue(time, time, new Random(1), 1);

        assertThat(new RunTraceRecorder(RunTracer.OFF, workQueue, runtimeContext).begin())
                .isNull();
    }
}
