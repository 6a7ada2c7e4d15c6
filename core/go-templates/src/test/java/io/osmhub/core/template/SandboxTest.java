package io.osmhub.core.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SandboxTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private Sandbox sandbox(RenderLimits limits) {
        return new Sandbox.Factory(limits, nanos::get).open();
    }

    @Test
    void defaultsAreThoseOfTheConfiguration() {
        assertThat(RenderLimits.DEFAULT)
                .isEqualTo(new RenderLimits(4 * 1024 * 1024, 5_000_000, 200, Duration.ofSeconds(2)));
    }

    @Test
    void endsTheExecutionAtTheStepLimit() {
        Sandbox sandbox = sandbox(RenderLimits.DEFAULT);
        sandbox.charge(5_000_000, 0);

        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> sandbox.charge(1, 0))
                .withMessage("more than 5000000 steps (limit render.stepLimit)");
    }

    @Test
    void countsNearTheLargestLongDoNotOverflow() {
        Sandbox sandbox = sandbox(RenderLimits.DEFAULT);
        sandbox.charge(10, 10);

        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> sandbox.charge(Long.MAX_VALUE, 0));
        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> sandbox.charge(0, Long.MAX_VALUE));
        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> sandbox.chargeOutput(Long.MAX_VALUE));
    }

    @Test
    void boundsTheValuesMadeOnTheWay() {
        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> sandbox(RenderLimits.DEFAULT).charge(0, 1L << 30))
                .withMessage("more than 80 MiB of intermediate values (20 times the limit render.outputLimit)");
    }

    @Test
    void boundsTheOutput() {
        Sandbox sandbox = sandbox(new RenderLimits(1024, 10, 10, Duration.ofMillis(1500)));
        sandbox.chargeOutput(1024);

        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> sandbox.chargeOutput(1))
                .withMessage("more than 1 KiB of output (limit render.outputLimit)");
    }

    @Test
    void boundsTheDepthButNotTheNumberOfCalls() {
        Sandbox sandbox = sandbox(RenderLimits.DEFAULT);
        for (int i = 0; i < 1000; i++) {
            sandbox.enterLevel();
            sandbox.leaveLevel();
        }
        for (int i = 0; i < 200; i++) {
            sandbox.enterLevel();
        }

        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(sandbox::enterLevel)
                .withMessage("more than 200 levels of templates calling templates (limit render.depthLimit)");
    }

    @Test
    void endsTheExecutionAtTheTimeLimitEvenWhenTheClockWraps() {
        Sandbox sandbox = sandbox(new RenderLimits(1024, 100_000, 10, Duration.ofMillis(1500)));
        nanos.addAndGet(Duration.ofMillis(1500).toNanos());
        sandbox.charge(1_000, 0);
        nanos.addAndGet(1);

        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> sandbox.charge(1_000, 0))
                .withMessage("longer than 1500ms (limit render.timeLimit)");
    }

    @Test
    void allFilesOfARenderingHaveOneBudget() {
        Sandbox sandbox = sandbox(new RenderLimits(10, 10, 1, Duration.ofSeconds(1)));
        sandbox.charge(10, 200);
        sandbox.chargeOutput(10);

        sandbox.startFile();

        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> sandbox.charge(1, 0));
        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> sandbox.charge(0, 1));
        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> sandbox.chargeOutput(1));
    }

    @Test
    void manySmallFilesCannotTakeForever() {
        Sandbox sandbox = sandbox(RenderLimits.DEFAULT);
        for (int i = 0; i < 40; i++) {
            sandbox.startFile();
            sandbox.charge(1_000, 0);
            nanos.addAndGet(Duration.ofMillis(50).toNanos());
        }
        sandbox.startFile();
        nanos.addAndGet(1);

        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> sandbox.charge(1_000, 0))
                .withMessage("longer than 2s (limit render.timeLimit)");
    }

    @Test
    void everyFileBeginsAtTheTopLevel() {
        Sandbox sandbox = sandbox(new RenderLimits(10, 10, 1, Duration.ofSeconds(1)));
        sandbox.enterLevel();

        sandbox.startFile();

        assertThatCode(sandbox::enterLevel).doesNotThrowAnyException();
    }

    @Test
    void aSingleLongStepEndsAtTheTimeLimit() {
        Sandbox sandbox = sandbox(RenderLimits.DEFAULT);
        sandbox.checkTimeLimit();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos() + 1);

        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(sandbox::checkTimeLimit);
    }
}
