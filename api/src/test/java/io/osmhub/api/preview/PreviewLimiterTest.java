package io.osmhub.api.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.api.preview.PreviewOperations.PreviewLimiter;
import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PreviewLimiterTest {
    private final PreviewLimiter turns = new PreviewLimiter(Duration.ofMillis(1));
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        callers.close();
    }

    /** Begins previews that go on until the test ends. */
    private void occupy(String caller, int count) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            callers.execute(() -> loop(caller, begun));
        }
        begun.await();
    }

    private void loop(String caller, CountDownLatch begun) {
        try {
            turns.runLimited(caller, () -> {
                begun.countDown();
                return await();
            });
        } catch (ApiProblem e) {
            throw new AssertionError(e);
        }
    }

    private boolean await() {
        try {
            return end.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCallerWithLoopingPreviewsIsRefusedMore() throws Exception {
        occupy("loops", PreviewLimiter.OF_ONE);

        assertThatExceptionOfType(ApiProblem.class)
                .isThrownBy(() -> turns.runLimited("loops", () -> "rendered"))
                .satisfies(problem -> assertThat(problem.getMessage()).contains("2 previews"));
    }

    @Test
    void anotherCallerIsNeverRefusedForIt() throws Exception {
        for (int i = 0; i < 6; i++) {
            occupy("loops " + i, PreviewLimiter.OF_ONE);
        }

        assertThat(turns.runLimited("other", () -> "rendered")).isEqualTo("rendered");
    }

    @Test
    void aTurnThatEndsIsFreeAgain() throws Exception {
        for (int i = 0; i < 2 * PreviewLimiter.OF_ONE; i++) {
            assertThat(turns.runLimited("one", () -> "rendered")).isEqualTo("rendered");
        }
    }
}
