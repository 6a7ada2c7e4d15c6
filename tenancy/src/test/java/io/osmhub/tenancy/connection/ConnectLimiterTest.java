package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ConnectLimiterTest {
    private final Queue<Runnable> running = new ArrayDeque<>();
    private final List<String> order = new ArrayList<>();
    private final ConnectLimiter ramp = new ConnectLimiter(2, running::add);

    private void add(boolean first, String name) {
        ramp.run(first, () -> order.add(name));
    }

    private void endOne() {
        running.remove().run();
    }

    @Test
    void runsNoMoreThanItsBoundAndTheOthersInTheirOrder() {
        for (String name : List.of("a", "b", "c", "d")) {
            add(true, name);
        }
        assertThat(running).hasSize(2);
        assertThat(ramp.runningCount()).isEqualTo(2);

        endOne();
        assertThat(running).hasSize(2);
        endOne();
        endOne();
        endOne();

        assertThat(order).containsExactly("a", "b", "c", "d");
        assertThat(ramp.runningCount()).isZero();
    }

    @Test
    void clustersThatAreDownDoNotDelayNewOnes() {
        for (int i = 0; i < 100; i++) {
            add(false, "down");
        }
        assertThat(running).hasSize(8);

        add(true, "new");

        assertThat(running).hasSize(9);
    }

    @Test
    void anAttemptThatThrowsGivesItsPlaceBack() {
        for (int i = 0; i < 3; i++) {
            ramp.run(true, () -> {
                throw new IllegalStateException("expected");
            });
        }
        for (int i = 0; i < 3; i++) {
            try {
                endOne();
            } catch (IllegalStateException expected) {
                assertThat(expected).hasMessage("expected");
            }
        }

        assertThat(ramp.runningCount()).isZero();
    }
}
