package io.osmhub.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.watch.Surroundings;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegistrationTellerTest {
    private final VirtualTime time = new VirtualTime();
    private final RegistrationTeller teller =
            new RegistrationTeller(new FakeApiServer(time), new Surroundings(time, time, new Random(1)), "replica-0");

    @Test
    void keepsTheEventsOfANamespaceApartAndOnlyForAsLongAsItIsThere() {
        EventSink one = teller.events("one");
        EventSink two = teller.events("two");
        assertThat(two).isNotSameAs(one);

        teller.forget("one");

        assertThat(teller.events("one")).isNotSameAs(one);
        assertThat(teller.events("two")).isSameAs(two);
    }
}
