package io.osmhub.tenancy.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NamespaceEventRecorderTest {
    private final VirtualTime time = new VirtualTime();
    private final NamespaceEventRecorder teller = new NamespaceEventRecorder(
            new SimulatedServer(time).api(), new RuntimeContext(time, time, new Random(1)), "replica-0");

    @Test
    void keepsTheEventsOfANamespaceApartAndOnlyForAsLongAsItIsThere() {
        EventRecorder one = teller.events("one");
        EventRecorder two = teller.events("two");
        assertThat(two).isNotSameAs(one);

        teller.forget("one");

        assertThat(teller.events("one")).isNotSameAs(one);
        assertThat(teller.events("two")).isSameAs(two);
    }
}
